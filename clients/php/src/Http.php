<?php

declare(strict_types=1);

namespace Mfano;

/** JSON over HTTP. */
final class Http
{
    /** The JSON of an answer; what is refused is an MfanoError. */
    public static function ask(string $method, string $url, ?array $body = null, array $headers = []): array
    {
        return json_decode(self::fetch($method, $url, $body, $headers), true, flags: JSON_THROW_ON_ERROR);
    }

    /** The text of an answer; what is refused is an MfanoError. */
    public static function fetch(string $method, string $url, ?array $body = null, array $headers = []): string
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => ['content-type: application/json', ...$headers],
            'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
            'timeout' => 30,
        ]]);
        $text = @file_get_contents($url, false, $context);
        if ($text === false) {
            throw new MfanoError("$method $url got no answer: " . (error_get_last()['message'] ?? 'nobody is there'));
        }
        $status = (int) explode(' ', $http_response_header[0])[1];
        if ($status >= 300) {
            throw new MfanoError("$method $url answered $status: $text");
        }
        return $text;
    }
}
