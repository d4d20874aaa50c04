import fc from 'fast-check'
import type { AssistantPart, Message, ToolPart, UserPart } from '../../src/model/types.ts'

/** Texts as they come in real sessions, and as they must not break anything. */
const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.lorem({ maxCount: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', '\n', 'e\u0000f', '\ud800', 'a\udc00b', '$&', '</record>', '<analysis>'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constant('上下文窗口很快就会被填满。').map((cjk) => cjk.repeat(12)) },
)
const huge: fc.Arbitrary<string> = fc.nat({ max: 60_000 }).map((length) => 'line of output\n'.repeat(length / 15))

const image: UserPart = { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' }
const reasoning: fc.Arbitrary<AssistantPart> = text.map((value) => ({
  type: 'reasoning',
  text: value,
  providerOptions: { anthropic: { signature: 'c2ln' } },
}))

type Step = { says: string; thinks: AssistantPart | undefined; calls: readonly Call[]; split: boolean }
type Call = { name: string; path: string; output: string; fate: 'answered' | 'missing' | 'late' | 'doubled' }

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('read', 'write', 'bash', 'edit', 'grep'),
  path: fc.constantFrom('src/a.ts', 'src/b.ts', 'README.md'),
  output: fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: huge }),
  fate: fc.oneof(
    { weight: 12, arbitrary: fc.constant('answered' as const) },
    { weight: 1, arbitrary: fc.constantFrom('missing' as const, 'late' as const, 'doubled' as const) },
  ),
})

const step: fc.Arbitrary<Step> = fc.record({
  says: text,
  thinks: fc.option(reasoning, { nil: undefined, freq: 4 }),
  calls: fc.array(call, { maxLength: 3 }),
  split: fc.boolean(),
})

const turn = fc.record({
  asks: fc.oneof({ weight: 20, arbitrary: text }, { weight: 1, arbitrary: huge }),
  image: fc.boolean(),
  steps: fc.array(step, { maxLength: 4 }),
})

/**
 * Histories with parallel calls, huge, missing, late and doubled results, reasoning, images, CJK, empty texts, lone
 * surrogates and NUL characters.
 */
export const history: fc.Arbitrary<Message[]> = fc
  .array(turn, { minLength: 0, maxLength: 12 })
  .map((turns) =>
    turns.flatMap(({ asks, image: withImage, steps }, t) => [
      asked(asks, withImage),
      ...steps.flatMap((one, s) => messagesOf(one, `${t}-${s}`)),
    ]),
  )

function asked(value: string, withImage: boolean): Message {
  return withImage
    ? { role: 'user', content: [{ type: 'text', text: value }, image] }
    : { role: 'user', content: value }
}

function messagesOf({ says, thinks, calls, split }: Step, id: string): Message[] {
  const parts: AssistantPart[] = [
    ...(thinks === undefined ? [] : [thinks]),
    { type: 'text', text: says },
    ...calls.map(
      (one, c): AssistantPart => ({
        type: 'tool-call',
        toolCallId: `${id}-${c}`,
        toolName: one.name,
        input: { path: one.path, content: one.output.slice(0, 500) },
      }),
    ),
  ]
  const results = calls.flatMap((one, c): ToolPart[] => {
    const part: ToolPart = {
      type: 'tool-result',
      toolCallId: `${id}-${c}`,
      toolName: one.name,
      output: { type: 'text', value: one.output },
    }
    if (one.fate === 'missing' || one.fate === 'late') return []
    return one.fate === 'doubled' ? [part, part] : [part]
  })
  const late = calls.flatMap((one, c): ToolPart[] =>
    one.fate === 'late'
      ? [
          {
            type: 'tool-result',
            toolCallId: `${id}-${c}`,
            toolName: one.name,
            output: { type: 'text', value: one.output },
          },
        ]
      : [],
  )
  const tools: Message[] = split
    ? results.map((part) => ({ role: 'tool', content: [part] }))
    : results.length === 0
      ? []
      : [{ role: 'tool', content: results }]
  const after: Message[] =
    late.length === 0
      ? []
      : [
          { role: 'user', content: 'and?' },
          { role: 'tool', content: late },
        ]
  return [{ role: 'assistant', content: parts }, ...tools, ...after]
}
