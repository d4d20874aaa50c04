import { describe, expect, it } from 'vitest'
import { estimate, messagesOf, statusOf, viewOf } from '../../../src/engine.ts'
import { LogBuilder } from '../../../src/formats/shared/log-builder.ts'
import { type EntryOf, textOf } from '../../../src/model/types.ts'

const said = (log: LogBuilder) => messagesOf(viewOf(log.entries)).map(textOf)

/** A log of turns, each a question and an answer. */
function logOfTurns(turns: number): LogBuilder {
  const log = new LogBuilder()
  for (let turn = 1; turn <= turns; turn++) {
    log.say({ role: 'user', content: `question ${turn}` })
    log.say({ role: 'assistant', content: `answer ${turn}` })
  }
  return log
}

describe('the times of a log', () => {
  it('are those of the file, and the last one again if it has none', () => {
    const log = new LogBuilder()
    log.say({ role: 'user', content: 'one' })
    log.say({ role: 'user', content: 'two' }, { at: 5_000 })
    log.say({ role: 'user', content: 'three' })
    log.compact({ summary: 'four' })
    expect(log.entries.map((entry) => entry.at)).toEqual([0, 5_000, 5_000, 5_000])
  })

  it('never go back, whatever the file says', () => {
    const log = new LogBuilder()
    log.say({ role: 'user', content: 'one' }, { at: 5_000 })
    log.say({ role: 'assistant', content: 'two' }, { at: 4_000 })
    log.compact({ summary: 'three', at: 3_000 })
    log.say({ role: 'user', content: 'four' }, { at: 6_000 })
    expect(log.entries.map((entry) => entry.at)).toEqual([5_000, 5_000, 5_000, 6_000])
  })
})

describe('turns that are taken back', () => {
  it.each([
    [0, ['question 1', 'answer 1', 'question 2', 'answer 2', 'question 3', 'answer 3']],
    [1, ['question 1', 'answer 1', 'question 2', 'answer 2']],
    [2, ['question 1', 'answer 1']],
    [3, []],
  ])('are the last %i, and no others', (turns, rest) => {
    const log = logOfTurns(3)
    log.dropTurns(turns)
    expect(said(log)).toEqual(rest)
    expect(log.live.map(({ message }) => textOf(message))).toEqual(rest)
  })

  it('leave room for what is said next, under the seqs that follow', () => {
    const log = logOfTurns(3)
    log.dropTurns(1)
    log.answer([{ type: 'text', text: 'more' }])
    log.answer([{ type: 'text', text: 'and more' }])
    expect(said(log).slice(3)).toEqual(['answer 2', 'more\nand more'])
    expect(log.entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5])
  })

  it('end an answer that was open', () => {
    const log = logOfTurns(1)
    log.say({ role: 'user', content: 'question 2' })
    log.answer([{ type: 'text', text: 'half of it' }])
    log.dropTurns(1)
    log.answer([{ type: 'text', text: 'again' }])
    expect(said(log)).toEqual(['question 1', 'answer 1', 'again'])
  })

  it('take a compaction with them that came after they began', () => {
    const log = logOfTurns(1)
    log.compact({ summary: 'the first turn' })
    log.say({ role: 'user', content: 'question 2' })
    log.compact({ summary: 'both turns' })
    log.dropTurns(1)
    expect(log.compactions.map(({ summary }) => summary)).toEqual(['the first turn'])
    expect(said(log)).toEqual(['the first turn'])
  })
})

describe('the sizes of a compaction by another agent', () => {
  const text = 'The parser reads a line and gives back its fields. '.repeat(40)
  const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 400 })

  /** Turns with the provider's counts: a prompt and tools of 30,000 tokens, and 1.5 for each token of our estimate. */
  function countedTurns(log: LogBuilder, turns: number): number {
    let input = 30_000
    for (let turn = 1; turn <= turns; turn++) {
      log.say({ role: 'user', content: text })
      input += 1.5 * estimate(text)
      log.say({ role: 'assistant', content: text }, { usage: usage(Math.round(input)) })
      input += 1.5 * estimate(text)
    }
    return Math.round(input)
  }

  it('have all that the first request had beyond its messages, also if the agent no longer sent some of them', () => {
    const log = new LogBuilder()
    const around = 40_000
    log.say({ role: 'user', content: text })
    log.say(
      { role: 'assistant', content: text },
      { usage: { inputTokens: around + estimate(text), outputTokens: 400 } },
    )
    for (let turn = 0; turn < 100; turn++) log.say({ role: 'user', content: text })
    // Half of what the log has is no longer sent.
    const tokensBefore = around + 51 * estimate(text)
    log.compact({ summary: 'They talked about the parser.', tokensBefore })
    const { tokens } = statusOf(log.entries)
    expect(tokens).toBe(compaction(log)?.tokensAfter)
    expect(tokens / around).toBeCloseTo(1, 2)
  })

  it('leave its prompt and its tools, and an overestimate is not part of them', () => {
    const log = new LogBuilder()
    const tokensBefore = countedTurns(log, 12)
    log.compact({ summary: 'They talked about the parser.', tokensBefore })
    const entry = log.entries.at(-1)
    expect(entry).toMatchObject({ type: 'compaction', tokensBefore })
    const { tokensAfter } = entry as EntryOf<'compaction'>
    expect(tokensAfter).toBeGreaterThan(27_000)
    expect(tokensAfter).toBeLessThan(33_000)
  })

  function compactedQuestions(log: LogBuilder): EntryOf<'compaction'> {
    for (let question = 1; question <= 10; question++) log.say({ role: 'user', content: text })
    log.compact({ summary: 'They asked about the parser.', tokensBefore: 60_000 })
    return log.entries.at(-1) as EntryOf<'compaction'>
  }

  it('know of a report that came after the compaction before', () => {
    const [late, inTime] = [new LogBuilder(), new LogBuilder()]
    for (const log of [late, inTime]) {
      const report = usage(countedTurns(log, 3))
      log.say({ role: 'assistant', content: text }, log === inTime ? { usage: report } : {})
      log.compact({ summary: 'They talked about the parser.' })
      if (log === late) log.reportUsage(report)
    }
    const { tokensAfter } = compactedQuestions(late)
    expect(tokensAfter).toBe(compactedQuestions(inTime).tokensAfter)
    expect(tokensAfter).toBeLessThan(compactedQuestions(new LogBuilder()).tokensAfter)
  })

  it('do not include turns that were taken back', () => {
    const log = new LogBuilder()
    log.compact({ summary: 'They talked about the parser.', tokensBefore: countedTurns(log, 12) })
    log.dropTurns(12)
    expect(compactedQuestions(log)).toEqual(compactedQuestions(new LogBuilder()))
  })

  it("have the provider's own count from its next report on", () => {
    const log = new LogBuilder()
    log.compact({ summary: 'They talked about the parser.', tokensBefore: countedTurns(log, 12) })
    log.say({ role: 'assistant', content: 'Go on.' }, { usage: usage(31_000) })
    expect(compaction(log).tokensAfter).toBe(31_000)
    log.say({ role: 'assistant', content: 'Done.' }, { usage: usage(40_000) })
    expect(compaction(log).tokensAfter).toBe(31_000)
  })

  it('have it without the messages since, also if the report comes after its answer', () => {
    const log = new LogBuilder()
    log.compact({ summary: 'They talked about the parser.', tokensBefore: countedTurns(log, 12) })
    log.reportUsage(usage(90_000))
    log.say({ role: 'user', content: text })
    log.say({ role: 'assistant', content: 'Yes.' })
    log.reportUsage(usage(31_000))
    expect(compaction(log).tokensAfter).toBe(31_000 - estimate(text))
  })

  it('are both scaled by the report if nothing was counted before', () => {
    const log = new LogBuilder()
    for (let i = 0; i < 3; i++) log.say({ role: 'user', content: text })
    log.compact({ summary: text })
    const { tokensBefore, tokensAfter } = { ...compaction(log) }
    log.say({ role: 'assistant', content: 'Yes.' }, { usage: usage(tokensAfter * 2) })
    expect(compaction(log)).toMatchObject({ tokensBefore: tokensBefore * 2, tokensAfter: tokensAfter * 2 })
  })

  it('stay estimates with a report that cannot be right', () => {
    const log = new LogBuilder()
    log.compact({ summary: 'They talked about the parser.', tokensBefore: countedTurns(log, 12) })
    const { tokensAfter } = { ...compaction(log) }
    log.say({ role: 'assistant', content: 'Go on.' }, { usage: usage(10) })
    expect(compaction(log).tokensAfter).toBe(tokensAfter)
  })

  function compaction(log: LogBuilder): EntryOf<'compaction'> {
    return log.entries.find(({ type }) => type === 'compaction') as EntryOf<'compaction'>
  }

  it('are what is left and the summary, with all that the provider counted beside the messages', () => {
    const log = new LogBuilder()
    const asked = [1, 2, 3].map(() => log.say({ role: 'user', content: text }))
    log.compact({ summary: 'They asked.', keep: asked.slice(2).flatMap((seq) => seq ?? []), tokensBefore: 9_000 })
    const beside = 9_000 - 3 * estimate(text)
    expect(log.entries.at(-1)).toMatchObject({
      tokensBefore: 9_000,
      tokensAfter: beside + estimate(text) + estimate('They asked.'),
    })
  })

  it('are scaled down if we count more than the provider did', () => {
    const log = new LogBuilder()
    for (let i = 0; i < 3; i++) log.say({ role: 'user', content: text })
    log.compact({ summary: 'They asked.', tokensBefore: estimate(text) })
    const tokensAfter = Math.round(estimate('They asked.') / 3)
    expect(log.entries.at(-1)).toMatchObject({ tokensBefore: estimate(text), tokensAfter })
  })
})
