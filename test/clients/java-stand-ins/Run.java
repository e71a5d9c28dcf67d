import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the tests of a class as JUnit would, for a machine that has only a JDK. */
final class Run {
  public static void main(String[] names) throws Exception {
    Class<?> tests = Class.forName(names[0]);
    Constructor<?> constructor = open(tests.getDeclaredConstructor());
    all(tests, BeforeAll.class, null);
    int passed = 0;
    for (Method test : tests.getDeclaredMethods()) {
      if (!test.isAnnotationPresent(Test.class)) continue;
      Object instance = constructor.newInstance();
      open(test).invoke(instance);
      passed++;
    }
    all(tests, AfterAll.class, null);
    System.out.println(passed + " passed");
  }

  private static void all(Class<?> tests, Class<? extends Annotation> kind, Object instance) throws Exception {
    for (Method method : tests.getDeclaredMethods())
      if (method.isAnnotationPresent(kind)) open(method).invoke(instance);
  }

  private static <T extends AccessibleObject> T open(T member) {
    member.setAccessible(true);
    return member;
  }
}
