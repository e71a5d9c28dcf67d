<?php

declare(strict_types=1);

namespace Mfano;

/** A refusal by mfano. The message names the field, what was expected, what came, and what to do. */
final class MfanoError extends \RuntimeException
{
}
