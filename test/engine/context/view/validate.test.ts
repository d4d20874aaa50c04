import { describe, expect, it } from 'vitest'
import { validate } from '../../../../src/engine/context/view/validate.ts'
import type { AssistantPart, Message, ToolPart } from '../../../../src/model/types.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const rulesOf = (messages: readonly Message[], pending?: 'allowed') =>
  validate(messages, { pending }).map((problem) => problem.rule)
const calls = (...ids: string[]): Message => ({ role: 'assistant', content: ids.map(callPart) })
const results = (...ids: string[]): Message => ({ role: 'tool', content: ids.map(resultPart) })
const reasoning = (text = 'hm', signed = true): AssistantPart => ({
  type: 'reasoning',
  text,
  ...(signed ? { providerOptions: { anthropic: { signature: 'c2ln' } } } : {}),
})

describe('a message list is valid', () => {
  it.each<[string, readonly Message[]]>([
    ['without any message', []],
    ['as question and answer', [user('a'), assistant('b')]],
    ['with two messages of the user in a row', [user('a'), user('b'), assistant('c')]],
    ['with a call and its result', [user('a'), call('x'), result('x'), assistant('done')]],
    ['with parallel calls answered in one tool message', [user('a'), calls('x', 'y'), results('y', 'x')]],
    ['with parallel calls answered in several tool messages', [user('a'), calls('x', 'y'), result('y'), result('x')]],
    ['with reasoning before a text', [user('a'), { role: 'assistant', content: [reasoning(), text('b')] }]],
    [
      'with reasoning that is stored before its call',
      [user('a'), { role: 'assistant', content: [reasoning()] }, call('x'), result('x')],
    ],
    [
      'with reasoning that has a signature and no text',
      [user('a'), { role: 'assistant', content: [reasoning(''), text('b')] }],
    ],
    [
      'with a call that the provider ran and answered itself',
      [user('a'), { role: 'assistant', content: [{ ...callPart('x'), providerExecuted: true }, resultPart('x')] }],
    ],
    [
      'with a call that the provider ran and reported nothing about',
      [user('a'), { role: 'assistant', content: [{ ...callPart('x'), providerExecuted: true }, text('b')] }],
    ],
    ['with an image and no text', [{ role: 'user', content: [{ type: 'image', image: 'aGk=' }] }]],
    [
      'with an approval between a call and its result',
      [
        user('a'),
        {
          role: 'assistant',
          content: [callPart('x'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'x' }],
        },
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }] },
        result('x'),
      ],
    ],
  ])('%s', (_, messages) => {
    expect(rulesOf(messages)).toEqual([])
  })
})

describe('a message list is not valid', () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ['when it starts with the assistant', [assistant('a')], ['first-message']],
    ['when it starts with a tool’s result', [result('x')], ['first-message', 'orphan-result']],
    ['with a system message inside', [user('a'), { role: 'system', content: 's' }], ['system-inside']],
    [
      'with a system message in front',
      [{ role: 'system', content: 's' }, user('a')],
      ['first-message', 'system-inside'],
    ],
    ['with an empty text', [user('a'), assistant('')], ['empty-content']],
    ['with a text of white space', [user(' \n\t')], ['empty-content']],
    ['with no parts', [user('a'), { role: 'assistant', content: [] }], ['empty-content']],
    ['with an empty part', [user('a'), { role: 'assistant', content: [text(''), text('b')] }], ['empty-content']],
    [
      'with reasoning that is empty and not signed',
      [user('a'), { role: 'assistant', content: [reasoning('', false), text('b')] }],
      ['empty-content'],
    ],
    ['with nothing but reasoning', [user('a'), { role: 'assistant', content: [reasoning()] }], ['lonely-reasoning']],
    [
      'with nothing but reasoning before the user speaks',
      [user('a'), { role: 'assistant', content: [reasoning()] }, user('b')],
      ['lonely-reasoning'],
    ],
    [
      'with reasoning at the end of a message, before the user speaks',
      [user('a'), { role: 'assistant', content: [text('b'), reasoning()] }, user('c')],
      ['lonely-reasoning'],
    ],
    ['with a call without a result', [user('a'), call('x'), user('b')], ['missing-result']],
    ['with a call at the end', [user('a'), call('x')], ['missing-result']],
    ['with one of two parallel results', [user('a'), calls('x', 'y'), result('x'), user('b')], ['missing-result']],
    ['with a result without a call', [user('a'), assistant('b'), result('x')], ['orphan-result']],
    ['with a result behind the next message', [user('a'), call('x'), user('b'), result('x')], ['misplaced-result']],
    ['with two results for a call', [user('a'), call('x'), result('x'), result('x')], ['duplicate-result']],
    ['with two results in one message', [user('a'), call('x'), results('x', 'x')], ['duplicate-result']],
    [
      'with one id for two calls',
      [user('a'), call('x'), result('x'), call('x'), result('x')],
      ['duplicate-call-id', 'duplicate-call-id'],
    ],
    [
      'with one id twice in a message',
      [user('a'), calls('x', 'x'), results('x', 'x')],
      ['duplicate-call-id', 'duplicate-call-id'],
    ],
  ])('%s', (_, messages, rules) => {
    expect(rulesOf(messages).toSorted()).toEqual(rules.toSorted())
  })

  it('with a result before its call, which is not taken for a second one', () => {
    const rules = rulesOf([user('a'), result('x'), call('x')])
    expect(rules).not.toEqual([])
    expect(rules).not.toContain('duplicate-result')
  })

  it('is reported with the place and a sentence for each problem', () => {
    const [problem] = validate([user('a'), calls('x', 'y'), result('y'), user('b')])
    expect(problem).toMatchObject({ rule: 'missing-result', index: 1, text: expect.stringContaining('x') })
  })
})

describe('pending calls', () => {
  it('are allowed at the end, when the caller says so', () => {
    expect(rulesOf([user('a'), call('x')], 'allowed')).toEqual([])
    expect(rulesOf([user('a'), calls('x', 'y'), result('x')], 'allowed')).toEqual([])
  })

  it('are not allowed before another message', () => {
    expect(rulesOf([user('a'), call('x'), user('b')], 'allowed')).toEqual(['missing-result'])
    expect(rulesOf([user('a'), call('x'), call('y')], 'allowed')).toEqual(['missing-result'])
  })
})

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function callPart(toolCallId: string): Extract<AssistantPart, { type: 'tool-call' }> {
  return { type: 'tool-call', toolCallId, toolName: 'read', input: {} }
}

function resultPart(toolCallId: string): Extract<ToolPart, { type: 'tool-result' }> {
  return { type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: 'ok' } }
}
