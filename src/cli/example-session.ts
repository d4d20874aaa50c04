import type { Message } from '../engine/index.ts'

/** The window of the model that the example session is with: small, so that a short session fills it. */
export const EXAMPLE_WINDOW = 8_192

/** A short session made by us: a flaky upload is found and mended. Its files and commands do not exist. */
export const EXAMPLE_SESSION: readonly Message[] = numbered([
  said(
    'Uploads larger than 5 MB fail now and then with "socket hang up". Find out why and fix it. Never change the public API of src/upload.ts, and do not add dependencies.',
  ),
  ...step('read', { path: 'src/upload.ts' }, uploadSource(), 'I start with the upload code.'),
  ...step('grep', { pattern: 'timeout', path: 'src' }, grepOutput()),
  ...step('read', { path: 'src/http/client.ts' }, clientSource()),
  ...step('bash', { command: 'npm test -- upload' }, testOutput('failed'), 'Now I reproduce it.'),
  replied(
    'The client closes the socket after 30 s of total time, not of silence: an upload that is slow but alive is cut off. I will make the time-out count from the last byte that was sent.',
  ),
  said('Good. Keep the 30 s as the default, and add a test that uploads slowly.'),
  ...step(
    'edit',
    { path: 'src/http/client.ts', old: 'setTimeout(abort, 30_000)', new: 'idleTimer.refresh()' },
    'edited',
  ),
  ...step('write', { path: 'test/slow-upload.test.ts', content: slowTest() }, 'written'),
  ...step('bash', { command: 'npm test -- upload' }, testOutput('type error')),
  ...step('edit', { path: 'src/http/client.ts', old: 'let idleTimer', new: 'let idleTimer: NodeJS.Timeout' }, 'edited'),
  ...step('bash', { command: 'npm test -- upload' }, testOutput('passed')),
  replied('All 14 upload tests pass, the new one among them. The default is still 30 s, now of silence.'),
  said('Does the retry in src/retry.ts still make sense with this?'),
  ...step('read', { path: 'src/retry.ts' }, retrySource()),
  ...step('bash', { command: 'git log --oneline -8 -- src/retry.ts' }, gitLog()),
  replied(
    'Yes, but it retries uploads that were cut off by our own time-out, which no longer happens. I suggest leaving it as it is; removing the case would change behaviour for other callers.',
  ),
])

function said(text: string): Message {
  return { role: 'user', content: text }
}

function replied(text: string): Message {
  return { role: 'assistant', content: text }
}

function step(toolName: string, input: Record<string, string>, output: string, text?: string): Message[] {
  const toolCallId = 'call'
  return [
    {
      role: 'assistant',
      content: [
        ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
        { type: 'tool-call', toolCallId, toolName, input },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: output } }],
    },
  ]
}

/** Gives each call and its result, which follows it, an id of their own. */
function numbered(messages: readonly Message[]): Message[] {
  let calls = 0
  return messages.map((message) => {
    if (typeof message.content === 'string') return message
    if (message.role === 'assistant') calls++
    const toolCallId = `call-${calls}`
    return {
      ...message,
      content: message.content.map((part) => ('toolCallId' in part ? { ...part, toolCallId } : part)),
    } as Message
  })
}

function lines(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i + 1)).join('\n')
}

function uploadSource(): string {
  return `import { send } from './http/client.ts'\n\nexport async function upload(file: Blob, url: string): Promise<void> {\n${lines(60, (n) => `  await send(url, file.slice(${(n - 1) * 65_536}, ${n * 65_536}), { part: ${n} })`)}\n}`
}

function clientSource(): string {
  return `let idleTimer\n\nexport async function send(url: string, body: Blob, options: Options): Promise<void> {\n  setTimeout(abort, 30_000)\n${lines(70, (n) => `  if (options.part === ${n}) trace('part ${n} of the upload goes to', url)`)}\n}`
}

function retrySource(): string {
  return `export async function retry<T>(work: () => Promise<T>): Promise<T> {\n${lines(40, (n) => `  // attempt ${n}: wait ${n * 100} ms, give up on a 4xx, go on with "socket hang up"`)}\n}`
}

function grepOutput(): string {
  return lines(40, (n) => `src/http/client.ts:${n * 7}:  trace('part ${n}: timeout after', 30_000)`)
}

function slowTest(): string {
  return `it('a slow upload is not cut off while bytes flow', async () => {\n${lines(30, (n) => `  await drip(server, ${n})`)}\n})`
}

function testOutput(end: 'failed' | 'type error' | 'passed'): string {
  const log = lines(50, (n) => `  ✓ upload > part ${n} arrives in order (${n + 3} ms)`)
  if (end === 'passed') return `${log}\n\n14 passed\nexit code 0`
  if (end === 'failed')
    return `${log}\n  ✗ upload > a file of 8 MB\n    Error: socket hang up\n\n1 failed, 12 passed\nexit code 1`
  return `src/http/client.ts(1,5): error TS7034: Variable 'idleTimer' implicitly has type 'any'\nexit code 2`
}

function gitLog(): string {
  return lines(8, (n) => `${(0x3f2a1c + n * 4_099).toString(16)} retry: case ${n}`)
}
