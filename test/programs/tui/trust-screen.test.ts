import { describe, expect, it } from 'vitest'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'
import { replies } from '../../tui/support/talk.ts'

const CODE = 'So:\n\n```ts\nconst answer = 42\n```\n\nAnd:\n\n```\nplain text\n```\n\nDone.'

describe('the screen', () => {
  it('keeps the scrollback of the terminal through resizes, a fold and a new session', async () => {
    const long = Array.from({ length: 60 }, (_, i) => `sentence ${i + 1}`).join('\n\n')
    const { at } = await ready(replies(long))
    const program = start(at, { rows: 24 })
    await program.sees('%')
    await program.send('tell me')
    await program.sees('sentence 60')
    await program.seesNot('Working')
    for (const [columns, rows] of [
      [60, 24],
      [120, 40],
      [40, 15],
      [80, 24],
    ] as const) {
      program.terminal.resize(columns, rows)
      await program.sees(/─{40}[\s\S]*%/)
    }
    program.press(KEY.fold, KEY.fold)
    await program.send('/new')
    await program.seesNot('sentence 60')
    const all = await program.transcript()
    expect([...new Set([...all.matchAll(/sentence (\d+)\b/g)].map(([, n]) => Number(n)))].slice(0, 45)).toEqual(
      Array.from({ length: 45 }, (_, i) => i + 1),
    )
    expect(program.terminal.written).not.toContain('\x1b[3J')
  })

  it('folds a paste in the input and in the conversation, and opens both', async () => {
    const { at, model } = await ready(replies())
    const program = start(at)
    await program.sees('%')
    program.paste(Array.from({ length: 5_000 }, (_, i) => `row ${i + 1}`).join('\n'))
    await program.sees('[paste #1 +5000 lines]')
    program.press(KEY.fold)
    await program.sees('row 5000')
    program.press(KEY.interrupt)
    await program.seesNot('row 5000')
    program.paste(Array.from({ length: 12 }, (_, i) => `row ${i + 1}`).join('\n'))
    await program.sees(' +12 lines]')
    program.press(KEY.enter)
    await program.sees('Understood.')
    await program.sees('[paste: 7 lines, Ctrl+O shows them]')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('row 6\\nrow 7')
    program.press(KEY.fold)
    await program.sees('row 7')
  })

  it('shows code without its fences, with its language', async () => {
    const { at } = await ready(replies(CODE))
    const program = start(at)
    await program.sees('%')
    await program.send('code')
    await program.sees('Done.')
    const screen = await program.screen()
    expect(screen).not.toContain('```')
    expect(screen).toMatch(/So:\s+ts\s+const answer = 42\s+And:\s+plain text\s+Done\./)
  })

  it('cuts a title between emoji', async () => {
    const { at } = await ready(replies())
    const program = start(at, { columns: 100 })
    await program.sees('%')
    await program.send('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦')
    await program.sees('Understood.')
    await program.sees(/👨👩👧👦.*… · ask/)
    await program.send('/rename 👨‍👩‍👧‍👦 family')
    await program.sees('The session is called 👨👩👧👦 family now.')
    expect(await program.screen()).not.toMatch(/[\ufffd\u200d]|\\u/)
  })
})
