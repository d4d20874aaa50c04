import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROUTES } from '../../../src/contract/document.ts'
import { serverWorld, TOKENS } from '../../server/support/world.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { full } from '../../support/full.ts'
import { turns } from '../../support/messages.ts'
import { startPostgres } from '../../support/postgres.ts'

const RUNS = full ? 5_000 : 120

const KEYS = [
  'text',
  'message',
  'messages',
  'title',
  'model',
  'policy',
  'seq',
  'summary',
  'focus',
  'preserve_count',
  'dry_run',
  'when',
  'workspace',
]
const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '../..',
    '<script>',
    "'; DROP TABLE sessions --",
    '#1',
    '#1-#99999999999',
    'agent',
    'local/cheap',
    'now',
    '%',
    '-1',
    '1e99',
    'NaN',
  ),
)
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'assistant', 'system', 'tool'), content: text }),
  fc.record({
    role: fc.constantFrom('assistant', 'tool', 'user'),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text'), text }),
        fc.record({ type: fc.constant('tool-call'), toolCallId: text, toolName: text, input: fc.jsonValue() }),
        fc.record({
          type: fc.constant('tool-result'),
          toolCallId: text,
          toolName: text,
          output: fc.record({
            type: fc.constantFrom('text', 'json', 'content', 'error-text'),
            value: fc.oneof(text, fc.jsonValue()),
          }),
        }),
      ),
      { maxLength: 4 },
    ),
  }),
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.integer({ min: -2, max: 30 }),
  fc.boolean(),
  message,
  fc.array(fc.oneof(message, fc.record({ message })), { maxLength: 4 }),
  fc.dictionary(
    fc.constantFrom('preset', 'keep_messages', 'trigger_percent', 'rungs', 'compact_prompt', 'nonsense'),
    fc.jsonValue(),
  ),
  fc.jsonValue(),
)
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 3 }).map((given) => JSON.stringify(given)),
  },
  { weight: 1, arbitrary: fc.jsonValue().map((given) => JSON.stringify(given)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constant(undefined) },
)
const queries = fc.dictionary(
  fc.constantFrom('limit', 'after', 'before', 'q', 'handles', 'points', 'only', 'shape'),
  fc.oneof(text, fc.integer({ min: -5, max: 600 }).map(String), fc.constantFrom('all', 'openai', 'anthropic')),
  { maxKeys: 3 },
)
const request = fc.record({
  route: fc.constantFrom(...ROUTES),
  session: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 3 }) }, { weight: 1, arbitrary: text }),
  seq: fc.oneof(fc.integer({ min: 0, max: 40 }).map(String), text),
  queries,
  body,
  type: fc.constantFrom(
    'application/json',
    'application/json',
    'application/json',
    'application/x-ndjson',
    'text/plain',
    '',
  ),
  key: fc.oneof(fc.constant(undefined), fc.constantFrom('k1', 'k2')),
  token: fc.constantFrom(TOKENS[0].token, TOKENS[0].token, TOKENS[0].token, TOKENS[2].token),
  last: fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: 99 }).map(String)),
})

/** SQLite always, PostgreSQL too when there is time: what a text can break there is another matter. */
const PLACES = full ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const)

describe('generated requests', () => {
  it.each(PLACES)(`${RUNS} of them end in no 500 on %s, and leave every session readable`, async (place) => {
    const { app, session, ask, lines } = await serverWorld({
      brain: () => ({ text: 'A summary of what they said.' }),
      ...(place === 'SQLite' ? {} : { store: await freshPostgres() }),
    })
    const fresh = () => session({ policy: 'agent', messages: turns(8, 200) })
    const ids = await Promise.all(Array.from({ length: 4 }, fresh))
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ route, session: which, seq, queries: given, body: sent, type, key, token, last }) => {
          const id = typeof which === 'number' ? ids[which] : which
          const path = route.path
            .replace('{id}', () => encodeURIComponent((id ?? 'x').toWellFormed()) || 'x')
            .replace('{seq}', () => encodeURIComponent(seq.toWellFormed()) || '0')
          const query = new URLSearchParams(given)
          const method = route.method.toUpperCase()
          const response = await app.request(`http://localhost${path}?${query}`, {
            method,
            ...(method === 'GET' || sent === undefined ? {} : { body: sent }),
            headers: {
              authorization: `Bearer ${token}`,
              ...(type === '' ? {} : { 'content-type': type }),
              ...(key === undefined ? {} : { 'idempotency-key': key }),
              ...(last === undefined ? {} : { 'last-event-id': last }),
            },
          })
          const { status } = response
          if (route.name === 'deleteSession' && status === 200 && typeof which === 'number') ids[which] = await fresh()
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel()
          else await response.text()
          const inside = lines.findLast((line) => line.error !== undefined && line.status === 500)
          expect(status, `${method} ${path}?${query} ${sent}\n${inside?.error}`).not.toBe(500)
          // A path that a text made another one is 404 or 405.
          expect([...Object.keys(route.responses), '404', '405']).toContain(String(status))
        },
      ),
      { numRuns: RUNS },
    )
    for (const id of ids) expect([200, 404]).toContain((await ask('GET', `/v1/sessions/${id}/view`)).status)
    // Most of them are right enough to be done: otherwise this tests the parser alone.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(RUNS / 10)
    console.info(
      `${place}: ${RUNS} generated requests: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    )
  })
})

async function freshPostgres(): Promise<string> {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  return postgres.url()
}
