import { describe, expect, it } from 'vitest'
import { themeOf } from '../../../src/tui/parts/theme.ts'
import { Transcript } from '../../../src/tui/parts/transcript.ts'
import { type Block, START, type State } from '../../../src/tui/state/state.ts'

function note(text: string): Block {
  return { kind: 'note', text, tone: 'muted' }
}

/** A transcript of that many notes, each of two lines on a wide screen and more on a narrow one. */
function conversation(notes: number) {
  let state: State = { ...START, blocks: Array.from({ length: notes }, (_, i) => note(`${i} `.padEnd(50, 'word '))) }
  const transcript = new Transcript(
    () => state,
    () => themeOf('dark'),
    () => {},
  )
  return {
    transcript,
    change: (change: Partial<State>) => {
      state = { ...state, ...change }
    },
    add: (text: string) => {
      state = { ...state, blocks: [...state.blocks, note(text)] }
    },
  }
}

describe('a long transcript', () => {
  it('still has its end when old lines are left to the scrollback right after a resize', () => {
    const { transcript, add } = conversation(700)
    transcript.render(120)
    transcript.render(20)
    add('said since')
    transcript.leave(() => true)
    const lines = transcript.render(20)
    expect(lines.length).toBeGreaterThan(700)
    expect(lines.at(-1)).toContain('said since')
  })

  it('shows what follows a long answer that came to nothing', () => {
    const { transcript, change, add } = conversation(1)
    transcript.render(80)
    change({ live: { text: Array.from({ length: 2_000 }, (_, i) => `- ${i}`).join('\n'), reasoning: '' } })
    // A frame may have no time for all of it.
    for (let frame = 0; frame < 100 && transcript.render(80).length < 2_000; frame++);
    expect(transcript.leave(() => true)).toBeGreaterThan(1_000)
    change({ live: { text: '', reasoning: '' } })
    add('asked again')
    expect(transcript.render(80).join('\n')).toContain('asked again')
  })
})
