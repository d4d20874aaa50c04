import { describe, expect, it } from 'vitest'
import { full } from '../../support/full.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'
import { replies, talk } from '../../tui/support/talk.ts'

const CONTINUE = { open: { kind: 'continue' } } as const

/** The numbers of `sentence 12` in a text, in the order in which they appear. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/sentence (\d+)\b/g)].map((match) => Number(match[1]))
}

describe('a long conversation', () => {
  it('a very long reply is in the scrollback whole, in order and once', async () => {
    // As much as a model may answer at once: some 1,900 such sentences reach the output limit.
    const count = full ? 1_700 : 800
    const paragraphs = Array.from(
      { length: count },
      (_, i) => `This is sentence ${i + 1} of **a long reply**, and it goes on.`,
    )
    const { at } = await ready(replies(paragraphs.join('\n\n')), { window: 1_000_000 })
    const program = start(at)
    await program.sees('%')
    await program.send('tell me everything')
    await program.sees((screen) => screen.includes(`sentence ${count} `) && !screen.includes('Working...'))
    program.type('still here')
    await program.sees('still here')
    expect(numbersIn(await program.transcript())).toEqual(Array.from({ length: count }, (_, i) => i + 1))
  })

  it('after many turns the screen is drawn as at the first, and what was said is above it once', async () => {
    const long = Array.from({ length: 60 }, (_, i) => `Line ${i + 1} of the reply.`).join('\n\n')
    const { at } = await ready((_, number) => ({ text: `sentence ${number}\n\n${long}` }), { window: 10_000_000 })
    const program = start(at)
    await program.sees('%')
    for (let turn = 1; turn <= 25; turn++) {
      await program.send(`turn ${turn}`)
      await program.sees((screen) => screen.includes('Line 60 of') && !screen.includes('Working...'))
      await program.sees(/─\n\s*\n─/)
    }
    expect(numbersIn(await program.transcript())).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
    const screen = await program.screen()
    expect(screen.match(/^─+$/gm)).toHaveLength(2)
  })

  it('a session of 5,000 messages shows its end and says how many came before', async () => {
    const { at } = await ready(replies(), { window: 100_000_000 })
    await at.session(talk(2_500, undefined, 60))
    const program = start(at, CONTINUE)
    await program.sees('question 2500')
    const all = await program.transcript()
    expect(all).toContain('… 4,600 earlier entries: /recall <text> finds them')
    expect(all).not.toContain('question 2000 ')
    await program.send('/recall #33')
    await program.sees('#33 user')
  })

  it('unfolding redraws what is there, and folding gives the same screen again', async () => {
    const { at } = await ready((_, number) =>
      number === 1 ? { calls: [{ name: 'read', input: { path: 'a.txt' } }] } : { text: 'Read.' },
    )
    at.file('a.txt', Array.from({ length: 50 }, (_, i) => `row ${i + 1}`).join('\n'))
    const program = start(at)
    await program.sees('%')
    await program.send('read it')
    await program.sees('Read.')
    await program.seesNot('Working...')
    const folded = await program.screen()
    program.press(KEY.fold)
    await program.sees('row 50')
    program.press(KEY.fold)
    await program.seesNot('row 50')
    expect(await program.screen()).toBe(folded)
  })
})
