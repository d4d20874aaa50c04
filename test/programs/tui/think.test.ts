import { describe, expect, it } from 'vitest'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'

const SIZE = { columns: 80, rows: 24 }
const SHIFT_TAB = '\x1b[Z'

describe('how much the model thinks', () => {
  it('/think sets it for this model and shows it, the next request has it, and so has the session later', async () => {
    const { at, model } = await ready(scriptedBrain({ steps: [] }), { reasoning: 'low' })
    const effort = () => (model.requests.at(-1)?.body as { reasoning_effort?: string } | undefined)?.reasoning_effort
    const program = start(at, SIZE)
    await program.sees('pith-test (think low)')
    await program.send('one')
    await program.sees('Done.')
    expect(effort()).toBe('low')
    await program.send('/think')
    await program.sees('test/pith-test thinks: low')
    program.type('high')
    await program.sees('› high')
    program.press(KEY.enter)
    await program.sees('(think high)')
    await program.send('two')
    await program.sees((screen) => screen.split('Done.').length === 3)
    expect(effort()).toBe('high')
    await program.send('/think more')
    await program.sees('more is not a level: auto, off, low, medium, high')
    await program.quit()
    const again = start(at, { ...SIZE, open: { kind: 'continue' } })
    await again.sees('(think high)')
    again.press(SHIFT_TAB)
    await again.seesNot('(think')
    await again.send('three')
    await again.sees((screen) => screen.includes('› three') && /› three[\s\S]*Done\./.test(screen))
    expect(effort()).toBeUndefined()
  })

  it('what it thought stays with its step', async () => {
    const steps = [
      { reasoning: 'First I look.', ...calling('bash', { command: 'echo out' }) },
      { reasoning: 'Now I know.', text: 'It is out.' },
    ]
    const { at } = await ready(scriptedBrain({ steps }), { permissions: 'full' })
    const program = start(at, SIZE)
    await program.sees('%')
    await program.send('do it')
    await program.sees('It is out.')
    program.press(KEY.fold)
    const screen = await program.sees('Now I know.')
    const places = ['First I look.', 'echo out', 'Now I know.', 'It is out.'].map((text) => screen.indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })
})
