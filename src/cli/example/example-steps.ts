import type { Message } from '../../model/types.ts'

/** A piece of the example session: what somebody said, or a call with its result. */
export type ExampleStep = readonly Message[]

export function said(text: string): ExampleStep {
  return [{ role: 'user', content: text }]
}

export function replied(text: string): ExampleStep {
  return [{ role: 'assistant', content: text }]
}

export function readCall(path: string, source: string, text?: string): ExampleStep {
  const numbered = source.split('\n').map((line, i) => `${i + 1}\t${line}`)
  return call('read', { path }, numbered.join('\n'), text)
}

export function grepCall(pattern: string, path: string, lines: readonly string[], text?: string): ExampleStep {
  return call('grep', { pattern, path }, lines.join('\n'), text)
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
