"""python3 -m tests: all of them beside each other, which their worlds allow. `python3 -m unittest` is one by one."""

import concurrent.futures
import sys
import unittest
from collections.abc import Iterator

AT_ONCE = 8


def each(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from each(part)
        elif isinstance(part, unittest.TestCase):
            yield part


def run(test: unittest.TestCase) -> unittest.TestResult:
    result = unittest.TestResult()
    test.run(result)
    return result


tests = list(each(unittest.defaultTestLoader.discover("tests", top_level_dir=".")))
with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
    results = list(pool.map(run, tests))
for test, result in zip(tests, results, strict=True):
    print("ok  " if result.wasSuccessful() else "FAIL", test.id())
    for _, trouble in result.failures + result.errors:
        print(trouble)
failed = sum(not result.wasSuccessful() for result in results)
print(f"Ran {len(tests)} tests: {len(tests) - failed} passed, {failed} failed")
sys.exit(1 if failed or not tests else 0)
