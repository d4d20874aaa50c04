import type { Answer } from './brain.ts'
import type { Fault } from './fault.ts'

/** One thing that goes wrong between a model and its client. */
export type NamedFault = { readonly name: string; readonly says: Answer | Fault }

const http = (status: number, more: Partial<Extract<Fault, { fault: 'http' }>> = {}): Fault => ({
  fault: 'http',
  status,
  ...more,
})
const inStream = (words: string, when: 'before' | 'inside'): Fault => ({ fault: 'words-in-stream', words, when })
const long = 'A word and another, and so on to the end of the answer.'

/** The faults that were seen, in the order in which a request may meet them. */
export const FAULTS: readonly NamedFault[] = [
  { name: 'connection reset', says: { fault: 'reset' } },
  { name: 'headers, then silence', says: { fault: 'silence' } },
  { name: 'HTTP 400', says: http(400) },
  { name: 'HTTP 401', says: http(401) },
  { name: 'HTTP 402', says: http(402) },
  { name: 'HTTP 403', says: http(403) },
  { name: 'HTTP 404', says: http(404) },
  { name: 'HTTP 408', says: http(408) },
  { name: 'HTTP 409', says: http(409) },
  { name: 'HTTP 413', says: http(413) },
  { name: 'HTTP 422', says: http(422) },
  { name: 'HTTP 429', says: http(429) },
  { name: 'HTTP 429, retry-after 7', says: http(429, { headers: { 'retry-after': '7' } }) },
  { name: 'HTTP 429, retry-after-ms 250', says: http(429, { headers: { 'retry-after-ms': '250' } }) },
  { name: 'HTTP 429, retry-after an hour', says: http(429, { headers: { 'retry-after': '3600' } }) },
  { name: 'HTTP 429, no credit', says: http(429, { message: 'insufficient_quota: check your plan and billing' }) },
  { name: 'HTTP 500', says: http(500) },
  { name: 'HTTP 502', says: http(502) },
  { name: 'HTTP 503', says: http(503) },
  { name: 'HTTP 504', says: http(504) },
  { name: 'HTTP 529', says: http(529) },
  { name: 'rate limit of the provider', says: { fault: 'rate-limit', retryAfterSeconds: 2 } },
  { name: 'error of the provider', says: { fault: 'server-error' } },
  { name: 'overloaded', says: { fault: 'overloaded' } },
  { name: 'request too long', says: { fault: 'overflow' } },
  {
    name: 'answer asked for too long',
    says: http(400, {
      message:
        'max_tokens is too large: 8000. This model supports at most 4096 completion tokens, whereas you provided 8000.',
    }),
  },
  { name: 'web page', says: { fault: 'page' } },
  { name: 'empty stream', says: { fault: 'nothing' } },
  { name: 'overloaded, first event', says: inStream('overloaded_error: Overloaded', 'before') },
  { name: 'overloaded, inside the answer', says: inStream('overloaded_error: Overloaded', 'inside') },
  { name: 'error inside the answer', says: { fault: 'error-in-stream' } },
  { name: 'reset inside the answer', says: { fault: 'reset-in-stream' } },
  { name: 'silence inside the answer', says: { fault: 'silence-in-stream' } },
  { name: 'end in the middle', says: { fault: 'truncated' } },
  { name: 'event that is no JSON', says: { fault: 'malformed' } },
  { name: 'slow, but whole', says: { fault: 'slow', pauseMs: 5 } },
  { name: 'empty answer', says: { text: '' } },
  { name: 'blank answer', says: { text: ' \n' } },
  { name: 'thinking alone', says: { reasoning: long } },
  { name: 'cut text', says: { text: long, finish: 'length' } },
  {
    name: 'cut call',
    says: { calls: [{ name: 'write', input: '{"path": "a.txt", "content": "li' }], finish: 'length' },
  },
  { name: 'refused', says: { text: '', finish: 'content-filter' } },
  { name: 'refused in the middle', says: { text: long, finish: 'content-filter' } },
  { name: 'call of no tool', says: { calls: [{ name: 'teleport', input: {} }] } },
  { name: 'call with wrong arguments', says: { calls: [{ name: 'read', input: { file: 7 } }] } },
]
