/** Files of other agents in which the agent's own summary is a given text. */
export const SUMMARISED: readonly (readonly [string, (summary: string) => string])[] = [
  [
    'Claude Code',
    (summary) =>
      lines(
        claude('1', null, { type: 'user', message: { role: 'user', content: REQUEST } }),
        claude('2', '1', { type: 'assistant', message: { id: 'm', role: 'assistant', content: [text('Done.')] } }),
        claude('3', '2', { type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } }),
        claude('4', '3', { type: 'user', isCompactSummary: true, message: { role: 'user', content: summary } }),
      ),
  ],
  [
    'Codex',
    (summary) =>
      lines(
        codex('session_meta', { id: 's', cwd: '/repo', timestamp: AT }),
        codex('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: REQUEST }] }),
        codex('compacted', { message: summary, replacement_history: [] }),
      ),
  ],
  [
    'pi',
    (summary) =>
      lines(
        { type: 'session', version: 3, id: 's', timestamp: AT, cwd: '/repo' },
        { type: 'message', id: 'a', parentId: null, timestamp: AT, message: { role: 'user', content: REQUEST } },
        { type: 'compaction', id: 'b', parentId: 'a', timestamp: AT, summary, firstKeptEntryId: 'c' },
      ),
  ],
  [
    'opencode',
    (summary) =>
      JSON.stringify({
        info: { id: 'ses_1', directory: '/repo', version: '1' },
        messages: [
          { info: { id: 'a', role: 'user', time: { created: 1 } }, parts: [text(REQUEST)] },
          { info: { id: 'b', role: 'assistant', time: { created: 2 }, summary: true }, parts: [text(summary)] },
        ],
      }),
  ],
  [
    'a list of messages',
    (summary) =>
      JSON.stringify([
        { role: 'user', content: summary },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      ]),
  ],
]

const REQUEST = 'Please add a test for the parser.'
const AT = '2026-11-15T10:00:00.000Z'

function text(words: string) {
  return { type: 'text', text: words }
}

function claude(uuid: string, parentUuid: string | null, line: object) {
  return {
    uuid,
    parentUuid,
    sessionId: 's',
    cwd: '/repo',
    timestamp: AT,
    version: '2.1.325',
    isSidechain: false,
    ...line,
  }
}

function codex(type: string, payload: object) {
  return { timestamp: AT, type, payload }
}

function lines(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
