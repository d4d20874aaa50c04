export const AREAS = [
  'billing',
  'search',
  'export',
  'mailer',
  'ledger',
  'router',
  'upload',
  'session',
  'report',
  'quota',
]
export const VERBS = [
  'load',
  'merge',
  'split',
  'count',
  'render',
  'verify',
  'flush',
  'resolve',
  'parse',
  'retry',
  'trim',
  'rank',
]
export const NOUNS = [
  'invoice',
  'token',
  'header',
  'queue',
  'cursor',
  'draft',
  'page',
  'batch',
  'tenant',
  'refund',
  'shard',
  'digest',
]
export const REASONS = [
  'a deadlock',
  'double counting',
  'a memory leak',
  'lost updates',
  'slow start-up',
  'a race',
  'wrong rounding',
]
export const PEOPLE = ['Ines', 'Tomasz', 'Aiko', 'Bram', 'Lucía', 'Femi', 'Noor', 'Jonas']

/**
 * Standing rules, as users state them. `A` and `B` are filled with what makes a rule of this session its own; a changed rule has another `B`.
 * All begin differently, so that none can be taken for another. Half of them have no word such as “must” or “never”: people say those in passing.
 */
export const RULES = [
  'Never edit anything under vendor/A; B owns it.',
  'Always name ticket A-B in the body of a commit, never in its subject.',
  'Fixtures for A live in fixtures/set-B, one file per case.',
  'Do not add a dependency for A without asking B first.',
  'We froze A for release B: its signature stays as it is.',
  'Local servers must use port B, and never the default port of A.',
  'I read every diff of A by hand, so keep those under B lines.',
  'Log lines about A must never contain an address; use the id and at most B characters.',
  'Node B belongs to the people who test A; leave it alone.',
  'Only run the slow A tests with the flag --limit B.',
  'For A we count months from zero, as report B does.',
  'Write error messages of A in plain English, without codes, in at most B words.',
  'The team agreed on B retries for A, no more and no fewer.',
  'Avoid recursion in A: its stack is limited to B kilobytes.',
  'Customers know A as step B, so that is its name in every text.',
  'Make sure that A stays compatible with data written by version B.',
  'Ask me again before A goes anywhere near database B.',
  'Amounts in A are integers in cents; never use floats, also not in B.',
  'Comments in A refer to chapter B of the handbook.',
  'Timeouts in A must be B milliseconds, not more.',
] as const

/** Requests of users. */
export const REQUESTS = [
  'Please make `NAME` in PATH handle case NUMBER: see https://tracker.example/issues/NUMBER. WHO found it yesterday.',
  '`NAME` returns the wrong total when the WORD is empty (PATH). Find out why and fix it; the report is https://tracker.example/issues/NUMBER.',
  'We need a limit of NUMBER in `NAME` (PATH). WHO wants it in version NUMBER.2.1.',
  'The WORD job is slow. I suspect `NAME` in PATH, it may call `OTHER` once per item. Measure before you change anything, then fix it.',
  'Move the check for empty WORDs out of `NAME` into its own function in PATH, and cover it with a test for case NUMBER.',
] as const

/** Last words of agents about a request. */
export const CONCLUSIONS = [
  '`NAME` read the WORD before `OTHER` had filled it. PATH now checks that first; case NUMBER is covered.',
  'Done: `NAME` in PATH takes the limit into account. The cause was an off-by-one in `OTHER` for case NUMBER.',
  'The total was counted twice, once in `NAME` and once in `OTHER`. I removed the second one in PATH.',
] as const

/** Questions in between that lead to no change. */
export const DETOURS = [
  'Before you go on: why is the staging log full of "WORD NUMBER rejected"? Only look, change nothing.',
  'Quick question: what calls `NAME` today? WHO asked me. No changes please.',
  'Can you check how large the WORD table gets? The dump is in dumps/WORD-NUMBER.sql.',
] as const

export const MEANWHILE = [
  'By the way, WHO says case NUMBER is the important one.',
  'While you are there: keep `OTHER` as it is.',
  'I restarted the WORD service on port NUMBER, in case you need it.',
] as const

/** Words around output that a user pastes into a request. */
export const PASTES = [
  'This is what I get on my machine:',
  'From the log of the last night:',
  'WHO sent me this, the interesting part is somewhere in the middle:',
] as const

/** An agent gives up an approach of its own, before anybody has asked it to. */
export const GIVEN_UP = [
  'Measured it: `HELPER` leads to BECAUSE, so I drop it and stay with `NAME`.',
  '`HELPER` was a dead end because of BECAUSE. I go back to `NAME` as it was and change the caller.',
  'With `HELPER` there is BECAUSE as soon as two jobs run. I leave it and solve this in `NAME`.',
] as const
