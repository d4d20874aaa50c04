import { describe, expect, it } from 'vitest'
import { HINT } from '../../src/tui/parts/status-line.ts'
import { COLORS } from '../../src/tui/parts/theme.ts'
import { isSummarising } from '../support/model-server/index.ts'
import { ready, start } from '../tui/support/fixture.ts'
import { KEY, serverConfig } from '../tui/support/program.ts'
import { answer, replies, SUMMARY, talk, userSays } from '../tui/support/talk.ts'

const BAR = /[█░]{10}/
const keen = { policy: { preset: 'keen' } }
const CONTINUE = { open: { kind: 'continue' } } as const

/** A session in which the provider has counted that many tokens of a window of 10,000. */
async function at(tokens: number, more: Record<string, unknown> = {}, brain = replies()) {
  const made = await ready(brain, { window: 10_000, ...more })
  await made.at.session(talk(4, tokens))
  return made
}

describe('the context status', () => {
  it('K1: a bar and a percentage are on the right of the line under the input', async () => {
    const { at: home } = await at(5_000)
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    const screen = (await program.screen()).trimEnd().split('\n')
    const status = screen.at(-1) ?? ''
    expect(screen.at(-2)).toMatch(/^─+$/)
    expect(status).toMatch(/[█░]{10} 50\.00% 5k of 10k$/)
    expect(status).toHaveLength(80)
  })

  it('K2: 1,000 tokens of a window of 2,000 are 50.00%', async () => {
    const { at: home } = await ready(replies(), { window: 2_000 })
    await home.session(talk(1, 1_000))
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    expect(await program.status()).toMatch(/50\.00% 1k of 2k$/)
  })

  it.each([
    [6_999, 7, -1],
    [7_000, 7, COLORS.dark.warning],
    [8_999, 9, COLORS.dark.warning],
    [9_000, 9, COLORS.dark.critical],
  ])(
    'K3: at %i of 10,000 the bar is filled to the percentage in its one colour, and the percentage has that of its level',
    async (tokens, filled, color) => {
      const { at: home } = await at(tokens, { policy: { preset: 'keen' } })
      const program = start(home, CONTINUE)
      const percent = `${(tokens / 100).toFixed(2)}%`
      await program.sees(percent)
      expect(await program.status()).toContain(`${'█'.repeat(filled)}${'░'.repeat(10 - filled)} ${percent}`)
      expect(program.terminal.styleOf('█').color).toBe(COLORS.dark.bar)
      expect(program.terminal.styleOf(percent).color).toBe(color)
    },
  )

  it('K4: the status changes when a reply has finished, not while it streams', async () => {
    const faults = [{ when: () => true, fault: { fault: 'slow', pauseMs: 15 } }] as const
    const { at: home } = await ready(replies('word '.repeat(400)), { window: 10_000 }, { faults })
    await home.session(talk(4, 5_000))
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    // The reply grows on the screen: each length of it is a moment at which the status may not have moved.
    const during = new Map<number, string>()
    await program.send('go on')
    await program.sees((screen) => {
      const shown = screen.split('word').length
      const isStreaming = screen.includes('Working...')
      if (isStreaming && shown > 1) during.set(shown, /\d+\.\d\d%/.exec(screen)?.[0] ?? '')
      return shown > 1 && !isStreaming
    })
    expect(during.size).toBeGreaterThan(2)
    expect([...new Set(during.values())]).toEqual(['50.00%'])
    expect(await program.status()).not.toContain('50.00%')
  })

  it('K4: the status changes with the model, after a compaction and after an undo', async () => {
    const { at: home, model } = await ready(replies(), { window: 10_000 })
    home.config({
      ...serverConfig(model),
      models: [
        { provider: 'test', model: 'pith-test', context_window: 10_000 },
        { provider: 'test', model: 'large', context_window: 40_000 },
      ],
    })
    await home.session(talk(10, 6_000))
    const program = start(home, CONTINUE)
    await program.sees('60.00%')
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.seesNot('60.00%')
    const compacted = /\d+\.\d\d%/.exec(await program.status())?.[0]
    await program.send('/undo')
    // The provider's count is void after a change: the whole context is estimated until its next report.
    const undone = await program.sees(
      (screen) => Number(/(\d+\.\d\d)%/.exec(screen)?.[1]) > Number.parseFloat(`${compacted}`),
    )
    expect(undone).toContain('Undone')
    await program.send('/redo')
    await program.sees(`${compacted}`)
    await program.send('/model test/large')
    await program.sees('of 40k')
    // A quarter of it, except for what the two models count differently.
    const shown = Number(/(\d+\.\d\d)%/.exec(await program.status())?.[1])
    expect(shown).toBeGreaterThan(0)
    expect(shown).toBeLessThan(Number.parseFloat(`${compacted}`) / 2)
  })

  it('K5: a model without a window shows N/A, no bar and no hint', async () => {
    const { at: home } = await ready(replies(), { window: undefined })
    await home.session(talk(40, 900_000))
    const program = start(home, CONTINUE)
    await program.sees('N/A')
    const status = await program.status()
    expect(status).not.toMatch(BAR)
    expect(status).not.toContain('/compact')
    await program.send('go on')
    await program.sees('Understood.')
    expect(await program.transcript()).not.toContain('Compact')
  })

  it('K6: without a count of the provider, four characters are one token', async () => {
    const { at: home } = await ready(replies(), { window: 10_000, ...keen })
    await home.session([userSays('x'.repeat(4_000)), answer('y'.repeat(400))])
    const program = start(home, CONTINUE)
    const { tokens, parts } = await contextOf(program)
    const fixed = parts.system + parts.tools
    expect(tokens - fixed).toBe(1_100)
    expect(await program.status()).toContain(`${(tokens / 100).toFixed(2)}%`)
  })

  it('K12: from 70.00% on the hint is beside the status in the accent colour and italic, at 69.99% not', async () => {
    const { at: home } = await at(7_000)
    const program = start(home, CONTINUE)
    await program.sees('70.00%')
    expect(await program.status()).toMatch(new RegExp(`70\\.00%.*${HINT}$`))
    expect(program.terminal.styleOf('type /compact')).toMatchObject({ color: COLORS.dark.accent, isItalic: true })
    const below = await at(6_999)
    const other = start(below.at, CONTINUE)
    await other.sees('69.99%')
    expect(await other.status()).not.toContain('/compact')
  })

  it.each([
    [40, 'ask'],
    [60, 'ask'],
    [80, 'auto-edit'],
  ])(
    'K12: at %i columns the hint gives way to the model, the mode %s and the numbers',
    async (columns, permissions) => {
      const { at: home } = await at(7_000, { permissions })
      const program = start(home, { ...CONTINUE, columns })
      await program.sees('70.00%')
      const status = await program.status()
      expect(status).toMatch(/[█░]{10} 70\.00%/)
      expect(status).not.toContain('type')
      expect(status).toMatch(new RegExp(`pith-test .*· ${permissions}\\b`))
      if (columns >= 60) expect(status).toMatch(/70\.00% 7k of 10k$/)
    },
  )
})

/** The numbers of `/context`. */
async function contextOf(program: ReturnType<typeof start>) {
  await program.sees('%')
  await program.send('/context')
  await program.sees('/policy shows all of it')
  const text = await program.transcript()
  const number = (pattern: RegExp) => Number((pattern.exec(text)?.[1] ?? '0').replaceAll(',', ''))
  return {
    tokens: number(/Context {2}\S+ {2}([\d,]+)/),
    parts: { system: number(/system prompt +([\d,]+)/), tools: number(/tool schemas +([\d,]+)/) },
  }
}

/** The text in the editor, between the last two rules. */
function inputOf(screen: string): string {
  const parts = screen.split(/^─+$/m)
  expect(parts.length).toBeGreaterThan(2)
  return parts.at(-2)?.trim() ?? ''
}

describe('/compact', () => {
  it('K7: compacts now, and the rest of the line is the focus, trimmed', async () => {
    const { at: home, model } = await at(5_000, keen)
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact   the upload time-out  ')
    await program.sees('Context compacted.')
    const [request] = model.requests
    expect(JSON.stringify(request?.body)).toContain('Additionally: the upload time-out"')
  })

  it('K8: the request has a system prompt of its own, the whole history, a closing instruction and no tools', async () => {
    const { at: home, model } = await at(5_000, keen)
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees('Context compacted.')
    const request = model.requests[0]?.request
    const all = JSON.stringify(request?.messages)
    expect(request?.tools).toEqual([])
    expect(request?.system).not.toContain('workspace')
    for (let i = 1; i <= 4; i++) expect(all).toContain(`question ${i} `)
    expect(request?.messages.at(-1)?.role).toBe('user')
    expect(model.violations).toEqual([])
  })

  it('K9: the summary replaces the history as one user message, and the next request starts with it', async () => {
    const { at: home, model } = await at(5_000, keen)
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.send('and now?')
    await program.sees('Understood.')
    const messages = model.requests[1]?.request?.messages ?? []
    const text = JSON.stringify(messages)
    expect(messages[0]?.role).toBe('user')
    expect(text).toContain('Mend the upload.')
    expect(text).not.toContain('question 1')
    expect(text).not.toContain('answer 4')
  })

  it('K10: the summary on the screen has the sections that were asked for', async () => {
    const { at: home, model } = await at(5_000, keen)
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees('Context compacted.')
    const asked = JSON.stringify(model.requests[0]?.body)
    for (const section of ['Goal', 'Key Instructions', 'Discoveries', 'Accomplished', 'Relevant Files']) {
      expect(asked).toContain(section)
    }
    program.press(KEY.fold)
    await program.sees('Mend the upload.')
    program.press(KEY.fold)
    await program.seesNot('Mend the upload.')
  })

  it('K11: this preset never compacts by itself', async () => {
    const { at: home, model } = await at(9_500, keen)
    const program = start(home, CONTINUE)
    await program.sees('95.00%')
    await program.send('go on')
    await program.sees('Understood.')
    expect(model.requests.some((each) => each.summarising)).toBe(false)
    expect(await program.transcript()).not.toContain('Compact')
  })

  it('K13: a spinner and Compacting... replace the loading text for the whole duration', async () => {
    const gate = Promise.withResolvers<void>()
    const { at: home } = await at(5_000, keen, async (request) => {
      if (isSummarising(request)) await gate.promise
      return { text: SUMMARY }
    })
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    const spinners = new Set<string>()
    await program.sees((screen) => {
      const found = /([⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]) Compacting\.\.\./.exec(screen)
      if (found?.[1] !== undefined) spinners.add(found[1])
      return spinners.size > 2
    })
    gate.resolve()
    await program.sees('Context compacted.')
    expect(await program.screen()).not.toContain('Compacting...')
  })

  it('K14: while compacting Enter sends nothing, no suggestions open, and what is typed stays', async () => {
    const gate = Promise.withResolvers<void>()
    const { at: home, model } = await at(5_000, keen, async (request) => {
      if (isSummarising(request)) await gate.promise
      return { text: SUMMARY }
    })
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees('Compacting...')
    program.type('/he')
    const spinners = new Set<string>()
    const seen = await program.sees((screen) => {
      spinners.add(/(\S) Compacting/.exec(screen)?.[1] ?? '')
      return screen.includes('List commands') || spinners.size > 5
    })
    expect(seen).not.toContain('List commands')
    program.press(KEY.enter)
    program.type('lp me')
    program.press(KEY.enter)
    await program.sees('/help me')
    expect(await program.screen()).not.toContain('List commands and keys')
    gate.resolve()
    await program.sees('Context compacted.')
    expect(await program.screen()).toContain('/help me')
    expect(model.requests).toHaveLength(1)
  })

  it('K15: Esc cancels the compaction, also over a slash command, and says so in the muted colour', async () => {
    const { at: home } = await at(5_000, keen, () => ({ fault: 'silence' }))
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees('Compacting...')
    program.type('/co')
    await program.sees('/co')
    program.press(KEY.escape)
    await program.sees('Compaction cancelled.')
    expect(program.terminal.styleOf('Compaction cancelled.').color).toBe(COLORS.dark.muted)
    expect(await program.status()).toContain('50.00%')
    expect(await program.screen()).toContain('/co')
  })

  it('K16: when done it says Context compacted., then the lines of A15, and the status is refreshed', async () => {
    const { at: home } = await at(5_000, keen)
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees('Context compacted.')
    await program.seesNot('50.00%')
    const screen = await program.screen()
    expect(screen).toMatch(/Context compacted\.\n\s*✓ Compacted 8 messages\n\s*Tokens: 5000 → (\d+) \(saved \d+\)/)
    expect(program.terminal.styleOf('Context compacted.').color).toBe(COLORS.dark.muted)
    const after = Number(/Tokens: 5000 → (\d+)/.exec(screen)?.[1])
    expect(await program.status()).toContain(`${(after / 100).toFixed(2)}%`)
  })

  it('K17: a failure is shown as an error with its reason, and the history is unchanged', async () => {
    const { at: home } = await at(5_000, keen, () => ({ text: '' }))
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees(/Compaction failed: \S+/)
    expect(program.terminal.styleOf('Compaction failed:').color).toBe(COLORS.dark.error)
    expect(await program.status()).toContain('50.00%')
  })

  it('K18: with no usable model it says what to do, nothing else happens, and the input is cleared', async () => {
    const { at: home, model } = await at(5_000, { ...keen, providers: {} })
    const program = start(home, CONTINUE)
    await program.sees('%')
    await program.send('/compact')
    await program.sees('LLM client not initialized. Use /model to configure.')
    const screen = await program.screen()
    expect(inputOf(screen)).toBe('')
    expect(screen).not.toContain('Compaction')
    expect(model.requests).toEqual([])
  })

  it.each(['reset-in-stream', 'error-in-stream', 'truncated'] as const)(
    'K19: a summary that ends in %s leaves the history as it was',
    async (fault) => {
      const long = `${SUMMARY}\n${'and so on, with many words. '.repeat(200)}`
      const faults = [{ when: isSummarising, fault: { fault } }]
      const { at: home } = await ready(replies(long), { window: 10_000, ...keen }, { faults })
      await home.session(talk(4, 5_000))
      const program = start(home, CONTINUE)
      await program.sees('50.00%')
      await program.send('/compact')
      await program.sees('Compaction failed:')
      expect(await program.status()).toContain('50.00%')
      await program.send('/summary')
      await program.sees('There is no summary')
    },
  )

  it('K20: on an empty history it does nothing, and that is not an error', async () => {
    const { at: home, model } = await ready(replies(), { window: 10_000, ...keen })
    const program = start(home)
    await program.sees('%')
    await program.send('/compact')
    await program.sees('No compaction needed: Nothing to compact')
    expect(program.terminal.styleOf('No compaction needed').color).toBe(COLORS.dark.muted)
    expect(model.requests).toEqual([])
  })

  it('K21: help and suggestions list it with what it does', async () => {
    const about = 'Compact conversation context (optional: /compact <focus hint>)'
    const { at: home } = await ready(replies())
    const program = start(home, { columns: 120, rows: 60 })
    await program.sees('%')
    program.type('/comp')
    await program.sees(about)
    program.press(KEY.escape)
    await program.seesNot(about)
    program.press(KEY.interrupt)
    await program.send('/help')
    await program.sees(about)
  })

  it('K22: Esc during a reply interrupts it and asks what to do instead', async () => {
    const { at: home, model } = await ready(() => ({ fault: 'silence-in-stream' }))
    const program = start(home)
    await program.sees('%')
    await program.send('tell me a story')
    await program.sees((screen) => screen.includes('Working...') && model.requests.length === 1)
    program.press(KEY.escape)
    await program.sees('Interrupted...what should the agent do instead?')
    await program.seesNot('Working...')
    expect(model.requests).toHaveLength(1)
  })
})

describe('automatic compaction and results', () => {
  it('R2: an automatic compaction shows ⚡ Compacting…', async () => {
    const gate = Promise.withResolvers<void>()
    const { at: home } = await at(9_000, { policy: { preset: 'koda' } }, async (request) => {
      if (!isSummarising(request)) return { text: 'Understood.' }
      await gate.promise
      return { text: SUMMARY }
    })
    const program = start(home, CONTINUE)
    await program.sees('90.00%')
    await program.send('go on')
    await program.sees('⚡ Compacting…')
    gate.resolve()
    await program.sees('Understood.')
    expect(await program.transcript()).toContain('✓ Compacted')
  })

  it('A12: with too few messages it says No compaction needed and why', async () => {
    const { at: home } = await ready(replies(), { window: 10_000, policy: { preset: 'agent' } })
    await home.session(talk(3, 5_000))
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    await program.sees('No compaction needed: Not enough messages to compact')
  })

  it('A15: it prints how many messages were compacted and the tokens before, after and saved', async () => {
    const { at: home } = await ready(replies(), { window: 10_000, policy: { preset: 'agent' } })
    await home.session(talk(5, 5_000))
    const program = start(home, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact')
    const screen = await program.sees('✓ Compacted 5 messages')
    const [, before, after, saved] = /Tokens: (\d+) → (\d+) \(saved (\d+)\)/.exec(screen) ?? []
    expect(Number(before)).toBe(5_000)
    expect(Number(before) - Number(after)).toBe(Number(saved))
  })
})
