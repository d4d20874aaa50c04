import type { Message, ModelInfo } from '../../model/types.ts'
import {
  bashCall,
  commits,
  editCall,
  grepCall,
  readCall,
  readText,
  replied,
  said,
  sessionOf,
  testFile,
  tests,
  writeCall,
} from './example-steps.ts'

/** The window of the model that the example session is with: small, so that the session fills three quarters of it. */
export const EXAMPLE_WINDOW = 20_480

/** The model of the example session. It does not exist; it has a small window and common prices. */
export const EXAMPLE_MODEL: ModelInfo = {
  provider: 'example',
  model: 'offline',
  contextWindow: EXAMPLE_WINDOW,
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
}

const UPLOAD = [
  "import { send } from './http/client.ts'",
  '',
  'export async function upload(file: File, target: URL, { signal }: Options): Promise<void> {',
]
const QUEUE = ['export class Queue {', '  readonly #waiting: Job[] = []', '  #running = 0']
const SUITES = ['upload', 'client', 'retry', 'queue', 'paths']
const SOURCES = ['src/upload.ts', 'src/http/client.ts', 'src/retry.ts', 'src/queue.ts', 'src/paths.ts']

/** A session made by us: uploads that hang are fixed, with what follows from that. Its files and commands do not exist. */
export const EXAMPLE_SESSION: readonly Message[] = sessionOf([
  said(
    'Uploads larger than 5 MB fail now and then with "socket hang up". Find out why and fix it. Never change the public API of src/upload.ts, and do not add dependencies.',
  ),
  readCall('src/upload.ts', UPLOAD, 34, 'I start with the upload itself.'),
  grepCall('timeout', 'src', SOURCES, (n) => `  const timeoutMs = options.timeoutMs ?? ${n * 1_000}`),
  readCall(
    'src/http/client.ts',
    [
      'let idleTimer',
      '',
      'export async function send(url: URL, body: Blob, options: SendOptions): Promise<void> {',
      '  setTimeout(abort, 30_000)',
    ],
    30,
  ),
  bashCall(
    'npm test -- upload',
    tests(SUITES.slice(0, 2), [
      'upload > a file of 8 MB arrives whole',
      'Error: socket hang up',
      '    at Socket.socketOnEnd (node:_http_client:535:23)',
    ]),
    1,
    'Now I reproduce it.',
  ),
  readText('test/upload.test.ts', testFile('a file of 8 MB arrives whole', 14)),
  bashCall(
    'git log --oneline -6 -- src/http/client.ts',
    commits([
      'client: one agent for all requests',
      'client: time-out of 30 s (#212)',
      'client: keep-alive',
      'client: follow redirects',
      'client: types',
      'client: first version',
    ]),
  ),
  bashCall(
    'node scripts/slow-proxy.mjs --bytes-per-second 200000 --size 8000000',
    'sent 6,012,928 bytes in 30.0 s\nclient closed the socket',
    1,
  ),
  replied(
    'The client closes the socket after 30 s of **total** time, not of silence (`src/http/client.ts:4`, since #212): an upload that is slow but alive is cut off. I will make the time-out count from the last byte that was sent.',
  ),
  said('Good. Keep the 30 s as the default, and add a test that uploads slowly.'),
  editCall(
    'src/http/client.ts',
    '  setTimeout(abort, 30_000)',
    '  idleTimer = setTimeout(abort, options.idleMs ?? 30_000)\n  body.onBytes = () => idleTimer.refresh()',
    4,
  ),
  writeCall('test/slow-upload.test.ts', testFile('a slow upload is not cut off while bytes flow', 12)),
  bashCall(
    'npm test -- upload',
    "src/http/client.ts(1,5): error TS7034: Variable 'idleTimer' implicitly has type 'any' in some locations where its type cannot be determined.",
    2,
  ),
  editCall('src/http/client.ts', 'let idleTimer', 'let idleTimer: NodeJS.Timeout', 1),
  bashCall('npm test -- upload', tests(SUITES.slice(0, 2))),
  replied('All 14 upload tests pass, the new one among them. The default is still 30 s, now of silence.'),
  said('Does the retry in src/retry.ts still make sense with this?'),
  readCall(
    'src/retry.ts',
    [
      'export async function retry<T>(work: () => Promise<T>, limits = LIMITS): Promise<T> {',
      '  // gives up on a 4xx, goes on with "socket hang up"',
    ],
    26,
  ),
  grepCall('retry(', 'src', SOURCES.slice(0, 4), (n) => `  return retry(() => part(${n}), { times: 3 })`),
  bashCall(
    'git log --oneline -5 -- src/retry.ts',
    commits([
      'retry: also on "socket hang up" (#230)',
      'retry: jitter',
      'retry: give up on a 4xx',
      'retry: limits',
      'retry: first version',
    ]),
  ),
  readCall('src/queue.ts', QUEUE, 24),
  replied(
    'Yes. It retries uploads that our own time-out cut off, which no longer happens, but #230 also covers servers that restart. I suggest leaving it; removing the case would change behaviour for other callers.',
  ),
  said(
    'Leave it then. Next: the page should show progress. Add an event per part, but the upload must not wait for its listeners.',
  ),
  readCall(
    'src/events.ts',
    ['export type UploadEvent =', "  | { type: 'started'; bytes: number }", "  | { type: 'done' }"],
    18,
  ),
  grepCall('emit(', 'src', SOURCES.slice(0, 3), (n) => `  emit({ type: 'step', n: ${n} })`),
  readCall(
    'src/page/progress.ts',
    ["import { html } from './html.ts'", '', 'export function progress(upload: Upload): string {'],
    20,
  ),
  editCall(
    'src/events.ts',
    "  | { type: 'done' }",
    "  | { type: 'part'; index: number; sentBytes: number; totalBytes: number }\n  | { type: 'done' }",
    3,
  ),
  editCall(
    'src/upload.ts',
    '  sent.add(index)',
    "  sent.add(index)\n  queueMicrotask(() => emit({ type: 'part', index, sentBytes, totalBytes }))",
    21,
  ),
  bashCall(
    'npm test',
    tests(SUITES, [
      'upload > tells of every part in order',
      'AssertionError: expected [ 0, 2, 1 ] to deeply equal [ 0, 1, 2 ]',
    ]),
    1,
  ),
  readText('test/events.test.ts', testFile('tells of every part in order', 10)),
  editCall(
    'src/upload.ts',
    '  queueMicrotask(() => emit({',
    '  events.push({',
    22,
    'Parts finish out of order; the page wants them in order, so they go through one list.',
  ),
  editCall('src/page/progress.ts', "  return ''", '  return progressBar(total, sent)', 9),
  bashCall('npm test', tests(SUITES)),
  bashCall('npm run lint', 'Checked 84 files in 310 ms. No fixes applied.'),
  replied(
    'There is a `part` event now, sent in order and without waiting for listeners. 35 tests pass, lint is clean.',
  ),
  said('CI fails on Windows since yesterday, see ci/windows.log.'),
  bashCall(
    'tail -n 40 ci/windows.log',
    tests(
      ['paths'],
      [
        'paths > names of parts',
        "AssertionError: expected 'parts\\\\0' to be 'parts/0'",
        '    at test/paths.test.ts:31:22',
      ],
    ),
    0,
  ),
  readCall(
    'src/paths.ts',
    [
      "import { join } from 'node:path'",
      '',
      'export function partName(index: number): string {',
      "  return join('parts', String(index))",
    ],
    18,
  ),
  grepCall("from 'node:path'", 'src', SOURCES.slice(1, 5), (n) => `import { join, sep } from 'node:path' // ${n}`),
  editCall('src/paths.ts', "import { join } from 'node:path'", "import { posix } from 'node:path'", 1),
  editCall('src/paths.ts', "  return join('parts', String(index))", "  return posix.join('parts', String(index))", 4),
  bashCall('npm test -- paths', tests(['paths'])),
  bashCall(
    'git diff --stat',
    ' src/paths.ts          |  4 ++--\n src/upload.ts         | 11 ++++++-----\n src/events.ts         |  1 +\n src/page/progress.ts  |  2 +-\n 4 files changed, 10 insertions(+), 8 deletions(-)',
  ),
  replied(
    'Names of parts are part of a URL, so they must have `/` everywhere: `posix.join`. I cannot run Windows here; the test that failed there passes.',
  ),
  said('Limit parallel uploads to 4. It must be configurable as max_parallel, and 0 means no limit.'),
  readCall(
    'src/config.ts',
    ['export const configSchema = z.strictObject({', '  idle_ms: z.number().int().positive().default(30_000),'],
    22,
  ),
  readCall('src/queue.ts', QUEUE, 24),
  editCall(
    'src/config.ts',
    '  idle_ms: z.number()',
    '  max_parallel: z.number().int().nonnegative().default(4),\n  idle_ms: z.number()',
    2,
  ),
  editCall('src/queue.ts', '  #running = 0', '  #running = 0\n  readonly #most: number', 3),
  writeCall('test/parallel.test.ts', testFile('at most four uploads run at once', 10)),
  bashCall(
    'npm test',
    tests(SUITES, [
      'queue > at most four uploads run at once',
      'AssertionError: expected 5 to be less than or equal to 4',
    ]),
    1,
  ),
  grepCall('#running', 'src/queue.ts', ['src/queue.ts'], (n) => `  if (this.#running < this.#most) this.#start(${n})`),
  editCall(
    'src/queue.ts',
    '  void job.run()',
    '  this.#running++\n  void job.run().finally(() => this.#next())',
    19,
    'The count went up only after the job had begun.',
  ),
  bashCall('npm test', tests(SUITES)),
  replied('`max_parallel` is 4 by default, 0 is no limit. The count was raised too late, which the new test found.'),
  said('With 500 files the process grows to 2 GB. Why?'),
  bashCall(
    'node --expose-gc scripts/heap.mjs --files 500',
    'after   50 files   118 MB\nafter  100 files   231 MB\nafter  250 files   774 MB\nafter  500 files 1,962 MB\nlargest retained: ArrayBuffer (part)',
    0,
    'I measure first.',
  ),
  readCall('src/upload.ts', UPLOAD, 34),
  editCall('src/upload.ts', '  parts.set(index, await part.arrayBuffer())', '  await send(target, part, options)', 17),
  bashCall(
    'node --expose-gc scripts/heap.mjs --files 500',
    'after   50 files    61 MB\nafter  100 files    64 MB\nafter  250 files    63 MB\nafter  500 files    66 MB',
  ),
  bashCall('npm test', tests(SUITES)),
  replied(
    'Each part was read into an `ArrayBuffer` and kept in `parts` for a retry. A `Blob` is read from disk while it is sent, so nothing need be kept: 1,962 MB became 66 MB.',
  ),
  said('Great. Now README and CHANGELOG. Short, in the words of users.'),
  readCall('README.md', ['# parcel', '', 'Uploads files in parts, over connections that are slow and break.'], 16),
  editCall(
    'README.md',
    '| `idle_ms` | 30000 |',
    '| `idle_ms` | 30000 | silence after which an upload is given up |\n| `max_parallel` | 4 | uploads at once, 0 is no limit |',
    31,
  ),
  readCall('CHANGELOG.md', ['# Changelog', '', '## [Unreleased]'], 10),
  editCall(
    'CHANGELOG.md',
    '## [Unreleased]',
    '## [Unreleased]\n- Slow uploads are no longer cut off after 30 s.\n- Progress is reported part by part.\n- At most four uploads at once (`max_parallel`).\n- 500 files need 66 MB, not 2 GB.',
    3,
  ),
  bashCall('npm run docs', 'docs: 14 pages, 0 broken links'),
  replied('Both are written: what changed for users, nothing about how.'),
  said('What is left before 2.4.0?'),
  bashCall('npm test', tests(SUITES)),
  bashCall(
    'git status --short',
    ' M CHANGELOG.md\n M README.md\n M src/config.ts\n M src/events.ts\n M src/http/client.ts\n M src/page/progress.ts\n M src/paths.ts\n M src/queue.ts\n M src/upload.ts\n?? test/parallel.test.ts\n?? test/slow-upload.test.ts',
  ),
  bashCall(
    'grep -rn "TODO(2.4)" src',
    'src/http/client.ts:41:  // TODO(2.4): tell the server why we closed\nsrc/queue.ts:58:  // TODO(2.4): order by size',
  ),
  replied(
    'Two notes marked for 2.4 are open:\n\n1. `src/http/client.ts:41`: tell the server why we closed the connection.\n2. `src/queue.ts:58`: order the queue by size.\n\nAll 35 tests pass, nothing is committed yet. I would do the first, move the second to 2.5, then commit and tag.',
  ),
])
