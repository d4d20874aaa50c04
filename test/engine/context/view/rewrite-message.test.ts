import { describe, expect, it } from 'vitest'
import {
  maskMessage,
  redactMessage,
  squeezeMessage,
  squeezePieces,
} from '../../../../src/engine/context/view/rewrite-message.ts'
import { outcomeOf } from '../../../../src/engine/extract/calls/call-outcome.ts'
import { messageSchema } from '../../../../src/model/message-schema.ts'
import {
  type Message,
  outputText,
  partsOf,
  resultsOf,
  type ToolResultOutput,
  type UserPart,
} from '../../../../src/model/types.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const long = 'word '.repeat(500)
const signed = { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'c2ln' } } } as const
const output = (value: ToolResultOutput): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'x', toolName: 'read', output: value }],
})
const outputOf = (message: Message) => resultsOf(message)[0]?.output ?? { type: 'text', value: '' }
const picture = { type: 'image-data', data: 'aGk='.repeat(1_000), mediaType: 'image/png' } as const
const rewritings: readonly (readonly [string, (message: Message) => Message])[] = [
  ['masked', (message) => maskMessage(message, 7)],
  ['squeezed', (message) => squeezeMessage(message, 7, 20, 20)],
  ['redacted', redactMessage],
]

describe.each(rewritings)('a message that is %s', (_, rewrite) => {
  it('keeps the ids and names of its calls and results', () => {
    const write = call('x', 'write', { path: 'a.ts', content: long })
    expect(partsOf(rewrite(write))).toMatchObject([{ type: 'tool-call', toolCallId: 'x', toolName: 'write' }])
    expect(partsOf(rewrite(result('x', long)))).toMatchObject([
      { type: 'tool-result', toolCallId: 'x', toolName: 'read' },
    ])
  })

  it('has nothing left of a long result', () => {
    expect(outputText(outputOf(rewrite(result('x', long)))).length).toBeLessThan(200)
  })

  it.each<ToolResultOutput>([
    { type: 'error-text', value: long },
    { type: 'error-json', value: { message: long } },
  ])('still says of $type that it was an error', (value) => {
    const { type } = outputOf(rewrite(output(value)))
    expect(type).toBe('error-text')
  })

  it('is a valid message', () => {
    for (const message of [user(long), assistant(long), call('x', 'write', { content: long }), result('x', long)]) {
      expect(messageSchema.safeParse(rewrite(message)).success).toBe(true)
    }
  })

  it('leaves the original alone', () => {
    const message = result('x', long)
    const before = structuredClone(message)
    rewrite(message)
    expect(message).toEqual(before)
  })

  it('has its reasoning as it was, or not at all', () => {
    for (const reasoning of [signed, { ...signed, text: long }]) {
      const message: Message = { role: 'assistant', content: [reasoning, { type: 'text', text: 'b' }] }
      const left = partsOf(rewrite(message)).filter((part) => part.type === 'reasoning')
      expect([[], [reasoning]]).toContainEqual(left)
    }
  })
})

describe('a mask', () => {
  it('says how much it hides and how to get it back', () => {
    expect(outputText(outputOf(maskMessage(result('x', long), 7)))).toMatch(
      new RegExp(`${long.length} characters.*recall #7`),
    )
  })

  it('still says how a command ended and what it said went wrong, for a later index too', () => {
    const failed = `Exit code 2\n${long}\nTypeError: loadInvoice is not a function\n${long}`
    const ran: Message = {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'x', toolName: 'Bash', output: { type: 'error-text', value: failed } },
      ],
    }
    const masked = maskMessage(ran, 7)
    expect(outputText(outputOf(masked))).toBe(
      `Exit code 2\nTypeError: loadInvoice is not a function\n[masked to save context: ${failed.length} characters, recall #7]`,
    )
    expect(outcomeOf(outputOf(masked))).toMatchObject({
      ok: false,
      exit: 2,
      errorLines: ['TypeError: loadInvoice is not a function'],
    })
    expect(maskMessage(masked, 7)).toBe(masked)
  })

  it('says nothing about how a file ended that was read', () => {
    expect(outputText(outputOf(maskMessage(result('x', `${long}\nexit code: 1`), 7)))).toMatch(/^\[masked/)
  })

  it('leaves short output, and all that user and assistant said', () => {
    for (const message of [result('x', 'ok'), user(long), assistant(long)])
      expect(maskMessage(message, 7)).toBe(message)
  })

  it('hides an image, however short the text beside it', () => {
    const masked = maskMessage(output({ type: 'content', value: [{ type: 'text', text: 'seen' }, picture] }), 7)
    expect(JSON.stringify(masked)).not.toContain(picture.data)
    expect(JSON.stringify(masked)).toContain('recall #7')
  })

  it('keeps how a long command begins, whole words of it', () => {
    const command = `npm test -- ${'packages/one '.repeat(40)}`
    const shown = JSON.stringify(maskMessage(call('x', 'bash', { command }), 7))
    expect(shown).toContain('npm test -- packages/one packages/one')
    expect(shown).not.toMatch(/packages\/one p\w{0,11} …|packages\/on? …/)
    expect(shown).toContain('recall #7')
  })

  it('hides long arguments of a call and leaves the short ones', () => {
    const [part] = partsOf(maskMessage(call('x', 'write', { path: 'a.ts', lines: [long], n: 3 }), 7))
    expect(part).toMatchObject({ input: { path: 'a.ts', lines: [expect.stringContaining('recall #7')], n: 3 } })
  })

  it('leaves reasoning untouched', () => {
    const message: Message = {
      role: 'assistant',
      content: [{ ...signed, text: long }, ...partsOf(call('x'))],
    } as Message
    expect(maskMessage(message, 7)).toBe(message)
  })

  it('of a mask changes nothing more', () => {
    const once = maskMessage(result('x', long), 7)
    expect(maskMessage(once, 7)).toBe(once)
  })
})

describe('a squeeze', () => {
  it('keeps head and tail of every long text, and the handle', () => {
    const squeezed = squeezeMessage(user(`HEAD${long}TAIL`), 7, 40, 40).content
    expect(squeezed).toMatch(/^HEAD[\s\S]*recall #7[\s\S]*TAIL$/)
  })

  it('leaves what is short enough', () => {
    const message = user('short')
    expect(squeezeMessage(message, 7, 40, 40)).toEqual(message)
  })

  it('drops long reasoning whole and leaves short reasoning whole', () => {
    const content = [{ ...signed, text: long }, signed, { type: 'text' as const, text: 'b' }]
    expect(squeezeMessage({ role: 'assistant', content }, 7, 20, 20).content).toEqual([
      signed,
      { type: 'text', text: 'b' },
    ])
  })

  it('says where to find an image that it takes out', () => {
    const image = { type: 'image' as const, image: picture.data }
    const shown: Message = { role: 'user', content: [{ type: 'text', text: 'look' }, image] }
    for (const message of [shown, output({ type: 'content', value: [{ type: 'text', text: 'seen' }, picture] })]) {
      const squeezed = JSON.stringify(squeezeMessage(message, 7, 200, 200))
      expect(squeezed).not.toContain(picture.data)
      expect(squeezed).toContain('recall #7')
      expect(squeezed).toMatch(/look|seen/)
    }
  })

  it('does not cut through its own notes', () => {
    const image = { type: 'image' as const, image: picture.data }
    const shown: Message = { role: 'user', content: [{ type: 'text', text: long }, image] }
    const seen = output({ type: 'content', value: [{ type: 'text', text: long }, picture] })
    for (const message of [shown, seen]) {
      const squeezed = JSON.stringify(squeezeMessage(message, 7, 15, 15).content)
      expect(squeezed.match(/recall #7/g)).toHaveLength(squeezed.match(/\[[^[\]]*recall #7[^[\]]*\]/g)?.length ?? 0)
    }
  })
})

describe('a squeeze that names pieces', () => {
  const batch: Message = {
    role: 'tool',
    content: ['x', 'y', 'z'].flatMap((id) => result(id, `HEAD${long}TAIL`).content),
  }

  it('shortens these alone, each by its own numbers', () => {
    const pieces = [
      { at: 0, head: 40, tail: 40 },
      { at: 2, head: 400, tail: 40 },
    ]
    const [x, y, z] = resultsOf(squeezePieces(batch, 7, pieces)).map(({ output }) => outputText(output))
    expect(x).toMatch(/^HEAD[\s\S]*recall #7[\s\S]*TAIL$/)
    expect(y).toBe(`HEAD${long}TAIL`)
    expect((z?.length ?? 0) - (x?.length ?? 0)).toBeGreaterThan(300)
  })

  it('leaves the images that it does not name', () => {
    const image: UserPart = { type: 'image', image: picture.data }
    const said: Message = { role: 'user', content: [{ type: 'text', text: long }, image, image] }
    const pieces = [0, 2].map((at) => ({ at, head: 20, tail: 20 }))
    expect(partsOf(squeezePieces(said, 7, pieces))).toEqual([
      { type: 'text', text: expect.stringContaining('recall #7') },
      image,
      { type: 'text', text: '[image left out, recall #7]' },
    ])
  })

  it('does not change what a redaction left of it', () => {
    const redacted = redactMessage(batch)
    expect(squeezePieces(redacted, 7, [{ at: 1, head: 0, tail: 0 }])).toEqual(redacted)
  })
})

it('a squeeze that was stored without pieces gives the same text as ever', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')
  const message: Message = { role: 'tool', content: ['x', 'y'].flatMap((id) => result(id, lines).content) }
  const short =
    'line 0\nline 1\nline 2\nline 3\nline 4\n\n[… 171 characters left out, recall #7 …]\nline 27\nline 28\nline 29'
  expect(resultsOf(squeezeMessage(message, 7, 40, 25)).map(({ output }) => outputText(output))).toEqual([short, short])
})

describe('a redaction', () => {
  const secret = 'hunter2'

  it.each<[string, Message]>([
    ['a text', user(secret)],
    ['a part', { role: 'user', content: [{ type: 'text', text: secret, providerOptions: { a: { secret } } }] }],
    ['an image', { role: 'user', content: [{ type: 'image', image: secret }] }],
    ['a file', { role: 'user', content: [{ type: 'file', data: secret, filename: secret, mediaType: 'text/plain' }] }],
    ['the options of a message', { role: 'assistant', content: 'a', providerOptions: { a: { secret } } }],
    ['reasoning', { role: 'assistant', content: [{ ...signed, text: secret }] }],
    ['the arguments of a call', call('x', 'bash', { command: `export P=${secret}` })],
    ['a result', result('x', secret)],
    ['the options of an output', output({ type: 'text', value: 'a', providerOptions: { a: { secret } } })],
    [
      'a provider’s own part',
      { role: 'assistant', content: [{ type: 'custom', kind: 'a.b', providerOptions: { a: { secret } } }] },
    ],
    [
      'the reasons around an approval',
      {
        role: 'assistant',
        content: [
          { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'x', reason: secret, inputSchemaInput: secret },
        ],
      },
    ],
    ['an unknown key of a message', { ...user('a'), note: secret } as Message],
    [
      'an unknown key of a result',
      { role: 'tool', content: [Object.assign({}, partsOf(result('x', 'a'))[0], { preview: secret })] } as Message,
    ],
  ])('leaves no trace of a secret in %s', (_, message) => {
    expect(JSON.stringify(redactMessage(message))).not.toContain(secret)
  })

  it('says that it happened, in a message that is not empty', () => {
    for (const message of [user(secret), { role: 'assistant', content: [signed] } as Message, result('x', secret)]) {
      expect(JSON.stringify(redactMessage(message))).toContain('redacted by the user')
    }
  })
})

describe('a message of the user in parts', () => {
  it('is one text when it is squeezed, with a note only for parts that are not text', () => {
    const said = (...content: UserPart[]): Message => ({ role: 'user', content })
    const text = (value: string): UserPart => ({ type: 'text', text: value })
    expect(squeezeMessage(said(text('one'), text('two')), 7, 100, 100)).toEqual({ role: 'user', content: 'one\ntwo' })
    expect(squeezeMessage(said(text('one'), { type: 'image', image: 'aGVsbG8=' }), 7, 100, 100)).toEqual({
      role: 'user',
      content: 'one\n[image left out, recall #7]',
    })
  })
})
