package mfano;

/** A refusal by mfano. The message names the field, what was expected, what came, and what to do. */
public final class MfanoException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MfanoException(String message, Throwable cause) {
    super(message, cause);
  }
}
