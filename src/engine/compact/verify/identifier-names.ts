import type { Place } from './word-tokens.ts'

/** True when a token is written as code writes names: camelCase, snake_case, a.b(), v1.2.3, a hash, #12, a URL, … */
export function isIdentifier(token: string, place: Place): boolean {
  if (token.length < 2 || token.length > 300) return false
  if (place === 'alone' && /\p{L}/u.test(token)) return true
  return (
    EVERYWHERE.some((shape) => shape.test(token)) || (place !== 'prose' && IN_CODE.some((shape) => shape.test(token)))
  )
}

/** The port numbers of a sentence: `port 5432`, `ports 80 and 8080`. */
export function mentionedPorts(text: string): string[] {
  return [...text.matchAll(/\bports?\s+(\d{2,5})(?:(?:\s*(?:,|\/|and|or)\s*)(\d{2,5}))?\b/gi)].flatMap((match) =>
    [match[1], match[2]].filter((port) => port !== undefined),
  )
}

const EVERYWHERE: readonly RegExp[] = [
  /^[\w$.]*[a-z][A-Z][\w$.]*(?:\(\))?$/, // camelCase, PascalCase with an inner capital, a.bC
  /^[$@]?[\w.]*[A-Za-z0-9]_[A-Za-z0-9][\w.]*(?:\(\))?$/, // snake_case, CONSTANT_CASE
  /^[\w$.:#-]*[A-Za-z]\w*\(\)$/, // call()
  /^v\d+(?:\.\d+)+[\w.+-]*$/, // v1.2
  /^\d+\.\d+\.\d+[\w.+-]*$/, // 1.2.3, 127.0.0.1
  /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/, // a hash
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/i, // a UUID
  /^#\d{2,}$/, // an issue
  /^[A-Z]{2,}-\d+$/, // a ticket
  /^[a-z][a-z0-9+.-]*:\/\/\S+$/i, // a URL
  /^(?:[\w.-]*[a-z][\w.-]*|\d+(?:\.\d+){3}):\d{2,5}$/i, // host:port
]

const IN_CODE: readonly RegExp[] = [
  /^--[a-z][\w-]+(?:=\S*)?$/, // a flag
  /^[A-Za-z_$][\w$]+(?:(?:\.|::|->|#)[A-Za-z_$][\w$]+)+(?:\(\))?$/, // a.b.c
  /^[A-Z][A-Z0-9]+_[A-Z0-9_]+=\S*$/, // KEY=value
]
