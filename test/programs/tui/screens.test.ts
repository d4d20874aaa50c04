import { describe, expect, it } from 'vitest'
import { EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../../../src/cli/example/example-session.ts'
import { isSummarising } from '../../support/model-server/index.ts'
import { home, ready, start } from '../../tui/support/fixture.ts'
import { plain, withoutNumbers } from '../../tui/support/plain.ts'
import { KEY, serverConfig } from '../../tui/support/program.ts'
import { replies, SUMMARY, talk } from '../../tui/support/talk.ts'

const CONTINUE = { open: { kind: 'continue' } } as const
const example = async () => ({
  title: 'Example',
  model: 'example/offline',
  window: EXAMPLE_WINDOW,
  messages: EXAMPLE_SESSION,
})

describe('screens', () => {
  it('first run', async () => {
    const at = home()
    const program = start(at, { example })
    await program.sees('Press Tab')
    expect(withoutNumbers(await plain(program, at.workspace))).toMatchSnapshot()
  })

  it('the example session', async () => {
    const at = home()
    const program = start(at, { example })
    await program.sees('Press Tab')
    program.press(KEY.tab)
    await program.sees(/\d\.\d\d%/)
    expect(withoutNumbers(await plain(program, at.workspace))).toMatchSnapshot()
    expect(Number(/(\d+\.\d\d)%/.exec(await program.status())?.[1])).toBeGreaterThan(72)
    expect(Number(/(\d+\.\d\d)%/.exec(await program.status())?.[1])).toBeLessThan(82)
  })

  it('a working turn', async () => {
    const gate = Promise.withResolvers<void>()
    const { at } = await ready(async (_, number) => {
      if (number === 1)
        return { text: 'I look at **the file** first.', calls: [{ name: 'read', input: { path: 'a.ts' } }] }
      await gate.promise
      return { text: 'Done.' }
    })
    at.file('a.ts', 'export const a = 1\n')
    const program = start(at)
    await program.sees('%')
    await program.send('what is in a.ts?')
    await program.sees('1 line, ')
    program.type('and b.ts?')
    program.press(KEY.enter)
    await program.sees('after this step: and b.ts?')
    expect(withoutNumbers(await plain(program, at.workspace))).toMatchSnapshot()
    gate.resolve()
    await program.sees((screen) => screen.split('Done.').length === 3)
  })

  it('the hint', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(1, 7_000, 60))
    const program = start(at, CONTINUE)
    await program.sees('70.00%')
    expect(await plain(program, at.workspace)).toMatchSnapshot()
  })

  it('compacting, then compacted', async () => {
    const gate = Promise.withResolvers<void>()
    const { at } = await ready(
      async (request) => {
        if (isSummarising(request)) await gate.promise
        return { text: SUMMARY }
      },
      { window: 10_000, policy: { preset: 'keen' } },
    )
    await at.session(talk(3, 5_000, 60))
    const program = start(at, CONTINUE)
    await program.sees('50.00%')
    await program.send('/compact the time-out')
    await program.sees('summary by pith-test')
    expect(await plain(program, at.workspace)).toMatchSnapshot()
    gate.resolve()
    await program.sees('Context compacted.')
    await program.seesNot('50.00%')
    program.press(KEY.fold)
    await program.sees('Mend the upload.')
    expect(withoutNumbers(await plain(program, at.workspace))).toMatchSnapshot()
  })

  it('/context', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(3, 5_000, 60))
    const program = start(at, { ...CONTINUE, rows: 50 })
    await program.sees('50.00%')
    await program.send('/context')
    await program.sees('/policy shows')
    const screen = await plain(program, at.workspace)
    const isPicture = /^ {2}(?:[■▤▥▦◆◇●○▧▨▫·]{5} ?){5}$/gm
    expect(screen.match(isPicture)).toHaveLength(4)
    const drawn = screen.replace(isPicture, (row) => row.replace(/\S/g, '■'))
    expect(withoutNumbers(drawn)).toMatchSnapshot()
  })

  it('/model', async () => {
    const { at, model } = await ready(replies())
    at.config({
      ...serverConfig(model),
      models: [
        { provider: 'test', model: 'pith-test', context_window: 100_000, price: { input: 3, output: 15 } },
        { provider: 'test', model: 'pith-large', context_window: 1_000_000 },
        { provider: 'pithless', model: 'pith-other' },
      ],
    })
    const program = start(at)
    await program.sees('%')
    await program.send('/model')
    await program.sees('type to narrow')
    program.type('pith')
    await program.sees('› test/pith')
    expect(withoutNumbers(await plain(program, at.workspace))).toMatchSnapshot()
  })

  it('a question of permission', async () => {
    const { at } = await ready((_, number) =>
      number === 1
        ? { calls: [{ name: 'read', input: { path: 'a.ts' } }] }
        : number === 2
          ? { calls: [{ name: 'edit', input: { path: 'a.ts', edits: [{ oldText: 'a = 1', newText: 'a = 2' }] } }] }
          : { text: 'Done.' },
    )
    at.file('a.ts', 'export const a = 1\n')
    const program = start(at)
    await program.sees('%')
    await program.send('make a two')
    await program.sees('› o  once')
    expect(withoutNumbers(await plain(program, at.workspace))).toMatchSnapshot()
  })

  it('an error', async () => {
    const { at } = await ready(replies(), {}, { apiKey: 'another-key' })
    const program = start(at)
    await program.sees('%')
    await program.send('mend it')
    await program.sees((screen) => /key/.test(screen) && !screen.includes('Working...'))
    expect(withoutNumbers(await plain(program, at.workspace))).toMatchSnapshot()
  })

  it.each([40, 60])('narrow: %i columns', async (columns) => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(2, 7_500, 120))
    const program = start(at, { ...CONTINUE, columns })
    await program.sees('75.00%')
    await program.send('/preview')
    await program.sees('would')
    const screen = await plain(program, at.workspace)
    expect(screen.replace(/\$[\d.]+ */g, '$$0 ')).toMatchSnapshot()
    expect(screen.split('\n').every((line) => [...line].length <= columns)).toBe(true)
  })
})
