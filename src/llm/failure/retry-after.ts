import type { ErrorFacts } from './error-facts.ts'

/** How long a provider asks to wait: from its headers or, with Google, from the body. */
export function retryAfterMs({ headers, body }: ErrorFacts, now: number): number | undefined {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(exact)) return atLeastZero(exact)
  const after = headers['retry-after']
  if (after !== undefined) {
    const ms = /^\d+(\.\d+)?$/.test(after.trim()) ? Number(after) * 1000 : Date.parse(after) - now
    if (Number.isFinite(ms)) return atLeastZero(ms)
  }
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return delay === undefined ? undefined : atLeastZero(Number(delay) * 1000)
}

function atLeastZero(ms: number): number {
  return Math.max(0, Math.ceil(ms))
}
