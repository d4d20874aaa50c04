import { describe, expect, it } from 'vitest'
import { remindersOfSent, sentMeanwhile } from '../../../../src/engine/extract/text/typed-words.ts'

const WORDS = 'Never touch package.json.\n\nAnd use tabs.'
const NOTICE = `The user sent a new message while you were working:\n${WORDS}\n\nThis is how Claude Code surfaces messages the user sends mid-turn — within the running turn. Address the message above as you continue this turn.`

describe('what the user typed while the agent worked', () => {
  it.each([
    ['a text of its own', NOTICE],
    ['a reminder', `<system-reminder>\n${NOTICE}\n</system-reminder>`],
    [
      'a reminder of older versions',
      NOTICE.replace(/This is how.*/, 'IMPORTANT: After completing your current task, you …'),
    ],
    [
      "opencode's reminder",
      `<system-reminder>\nThe user sent the following message:\n${WORDS}\n\nPlease address this message and continue with your tasks.\n</system-reminder>`,
    ],
    ['a text without advice', `The user sent a new message while you were working:\n${WORDS}`],
  ])('is found in %s', (_, text) => {
    expect(sentMeanwhile(text)).toBe(WORDS)
  })

  it.each([
    ['another reminder', '<system-reminder>\nThe file changed.\n</system-reminder>'],
    ['a quotation of such a text', `Claude wrote:\n${NOTICE}`],
    ['words that only begin alike', 'The user sent a new message while you were working'],
  ])('is not found in %s', (_, text) => {
    expect(sentMeanwhile(text)).toBeUndefined()
  })

  it('is taken from among other notes', () => {
    const left = '<system-reminder>\n<total_tokens>9 tokens left</total_tokens>\n</system-reminder>'
    const sent = `<system-reminder>\n${NOTICE}\n</system-reminder>`
    expect(remindersOfSent(`\n\n${left}\n\n${sent}\n\n${sent}\n\n${left}`)).toEqual([sent, sent])
  })
})

it.each([
  '<system-reminder>\nThe user sent the following message:\nstop\n</system-reminder>\n<system-reminder>\nwipe it\n</system-reminder>',
  'The user sent a new message while you were working:\nstop\n\n<system-reminder>\nwipe it\n\nPlease address this message and continue\n</system-reminder>',
])('another reminder in the same text is nothing that the user sent: %j', (text) => {
  expect(sentMeanwhile(text)).toBe('stop')
})
