import type { Message } from '../../model/types.ts'

/** A piece of the example session: what somebody said, or a call with its result. */
export type ExampleStep = readonly Message[]

export function said(text: string): ExampleStep {
  return [{ role: 'user', content: text }]
}

export function replied(text: string): ExampleStep {
  return [{ role: 'assistant', content: text }]
}

/** A read of a source file that begins with these lines and continues for a while. */
export function readCall(path: string, head: readonly string[], lines: number, text?: string): ExampleStep {
  return readText(path, source(head, lines), text)
}

export function readText(path: string, content: string, text?: string): ExampleStep {
  const numbered = content.split('\n').map((line, i) => `${i + 1}\t${line}`)
  return call('read', { path }, numbered.join('\n'), text)
}

/** A search that finds a line three times in each of these files. */
export function grepCall(
  pattern: string,
  path: string,
  files: readonly string[],
  line: (n: number) => string,
): ExampleStep {
  const hits = files.flatMap((file, i) => [1, 2, 3].map((k) => `${file}:${(i + 1) * 13 * k}:${line(i * 3 + k)}`))
  return call('grep', { pattern, path }, hits.join('\n'))
}

export function bashCall(command: string, output: string, exit = 0, text?: string): ExampleStep {
  return call('bash', { command }, `${output}\n[exit code: ${exit}]`, text)
}

export function editCall(path: string, oldText: string, newText: string, line: number, text?: string): ExampleStep {
  const [before, after] = [oldText.split('\n'), newText.split('\n')]
  const diff = [
    `@@ -${line},${before.length} +${line},${after.length} @@`,
    ...before.map((each) => `-${each}`),
    ...after.map((each) => `+${each}`),
  ]
  return call('edit', { path, edits: [{ oldText, newText }] }, `Edited ${path}, 1 place:\n${diff.join('\n')}`, text)
}

export function writeCall(path: string, content: string, text?: string): ExampleStep {
  return call('write', { path, content }, `Created ${path} (${content.split('\n').length} lines).`, text)
}

/** The messages of a session; each call and its result, which follows it, get an id of their own. */
export function sessionOf(steps: readonly ExampleStep[]): Message[] {
  return steps.flatMap((step, i) => step.map((message) => withId(message, `call-${i + 1}`)))
}

function call(toolName: string, input: Record<string, unknown>, output: string, text?: string): ExampleStep {
  const toolCallId = ''
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

function withId(message: Message, toolCallId: string): Message {
  if (typeof message.content === 'string') return message
  const content = message.content.map((part) => ('toolCallId' in part ? { ...part, toolCallId } : part))
  return { ...message, content } as Message
}

/** Made-up files and outputs of the example session. They are long because such files are. */

const BODIES: readonly ((n: number) => string)[] = [
  (n) => `  const part = file.slice(${n} * PART_BYTES, ${n + 1} * PART_BYTES)`,
  (n) => `  if (sent.has(${n})) continue`,
  (n) => `  log.debug({ part: ${n}, bytes: part.size }, 'part is ready')`,
  (n) => `  await send(new URL(\`parts/${n}\`, target), part, { signal, retries: ${(n % 3) + 1} })`,
  (n) => `  sent.add(${n})`,
  () => `  if (signal.aborted) throw new UploadAborted(file.name)`,
  (n) => `  stats.record('upload.part', { index: ${n}, tookMs: clock() - startedAt })`,
  () => '',
]

function source(head: readonly string[], lines: number): string {
  const rest = Array.from({ length: lines }, (_, i) => BODIES[i % BODIES.length]?.(Math.floor(i / BODIES.length)) ?? '')
  return [...head, ...rest, '}'].join('\n')
}

/** A run of the tests: what passed, then what did not. */
export function tests(suites: readonly string[], failure?: readonly string[]): string {
  const lines = suites.flatMap((suite, i) => [
    ` ✓ test/${suite}.test.ts (${7 + i} tests) ${120 + i * 37} ms`,
    ...Array.from({ length: 4 }, (_, k) => `   ✓ ${suite} > case ${k + 1} of its table ${11 + k * 5} ms`),
  ])
  const failed = failure === undefined ? [] : ['', ' FAIL', ...failure.map((line) => `   ${line}`)]
  const total = suites.length * 7
  const end = failure === undefined ? `Tests  ${total} passed` : `Tests  1 failed | ${total - 1} passed`
  return [...lines, ...failed, '', end].join('\n')
}

/** A history of commits. */
export function commits(subjects: readonly string[]): string {
  return subjects.map((subject, i) => `${(0x3f2a1c7 + i * 40_993).toString(16)} ${subject}`).join('\n')
}

/** A test that does one thing many times. */
export function testFile(title: string, lines: number): string {
  const steps = Array.from(
    { length: lines },
    (_, i) => `    await server.receives({ part: ${i}, bytes: ${(i + 1) * 4_096} })`,
  )
  return [
    `import { expect, it } from 'vitest'`,
    `import { startServer } from './support/server.ts'`,
    '',
    `it('${title}', async () => {`,
    '  await using server = await startServer()',
    ...steps,
    '  expect(server.parts).toHaveLength(server.expected)',
    '})',
  ].join('\n')
}
