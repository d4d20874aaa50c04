/** The parts of a route's example call besides its path: a query, a body, or other flags of curl. */
export type Example = { readonly query?: string; readonly body?: unknown; readonly flags?: string }

/** Examples by the name of the route; a route that needs nothing has none. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  createSession: { body: { title: 'The login', messages: [{ role: 'user', content: 'Why does the login hang?' }] } },
  listSessions: { query: 'limit=20' },
  deleteUnusedSessions: { body: { older_than: '90d', dry_run: true } },
  changeSession: { body: { title: 'The slow login', policy: { trigger_percent: 60 } } },
  forkSession: { body: { seq: 3 } },
  importSession: { flags: "-H 'Content-Type: application/x-ndjson' --data-binary @session.jsonl" },
  listStatuses: { query: 'sessions=$ID' },
  getOverview: { query: 'sort=cost&limit=20' },
  searchSessions: { query: 'q=login' },
  getMemory: { query: 'folder=/home/me/shop' },
  makeLink: { body: { hours: 24 } },
  redactEntry: { body: { seq: 3 } },
  exportSession: { flags: '-o session.jsonl' },
  appendMessages: {
    body: {
      messages: [
        { message: { role: 'assistant', content: 'It waits.' }, usage: { input_tokens: 900, output_tokens: 4 } },
      ],
    },
  },
  listEntries: { query: 'only=all&limit=50' },
  postTurn: { body: { text: 'Find out why.' } },
  steerTurn: { body: { text: 'Leave the tests as they are.' } },
  answerTurn: { body: { question: 'the-id-of-the-question', allow: true } },
  getContextHistory: { query: 'points=100' },
  getView: { query: 'shape=anthropic' },
  recall: { query: 'q=hang' },
  leaveOut: { body: { what: '#116-#120' } },
  putBack: { body: { seq: 118 } },
  compactSession: { body: { focus: 'the login' } },
  editSummary: { body: { summary: 'The login hangs because the pool is empty.' } },
  signIn: { flags: `-H 'Content-Type: application/json' -d "{\\"token\\":\\"$TOKEN\\"}"` },
  makeToken: { body: { name: 'alice', expires: '2027-01-01T00:00:00Z', budget: { usd_per_day: 5 } } },
  changeToken: { body: { access: 'read', budget: null } },
  sessionEvents: { flags: '-N' },
  allEvents: { flags: '-N' },
}
