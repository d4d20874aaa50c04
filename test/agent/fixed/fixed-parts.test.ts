import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FixedParts, modeSentence } from '../../../src/agent/fixed/fixed-parts.ts'

/** Parts with `AGENTS.md` and `MEMORY.md` of a folder. */
function parts(files: Readonly<Record<string, string>>, elsewhere?: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-fixed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) put(name, text)
  const file = (name: string) => ({ path: join(folder, name), name })
  const fixed = FixedParts.read('SYSTEM', {
    instructions: [file('AGENTS.md'), file('more.md')],
    memory: [file('MEMORY.md')],
    elsewhere,
  })
  return { fixed, put, remove: (name: string) => rmSync(join(folder, name)) }
}

const INSTRUCTIONS =
  'Instructions of the user and of their project:\n\n<instructions file="AGENTS.md">\nBe kind.\n</instructions>'
const MEMORY = 'Facts that the user wants to be remembered:\n\n<memory file="MEMORY.md">\nThe sky is blue.\n</memory>'

describe('what goes with every request', () => {
  it('is the system prompt, then instructions, then facts, without what is empty', () => {
    const { fixed } = parts({ 'AGENTS.md': '\nBe kind.\n', 'MEMORY.md': 'The sky is blue.' })
    expect(fixed.blocks()).toEqual(['SYSTEM', INSTRUCTIONS, MEMORY])
    expect(fixed.current()).toEqual({ system: 'SYSTEM', instructions: INSTRUCTIONS, memory: MEMORY })
    expect(fixed.names).toEqual(['AGENTS.md', 'MEMORY.md'])
    const none = parts({ 'AGENTS.md': ' \n' }).fixed
    expect(none.blocks()).toEqual(['SYSTEM'])
    expect(none.current()).toEqual({ system: 'SYSTEM' })
    expect([none.names, none.elsewhere]).toEqual([[], []])
  })

  it('has files one after the other under one title', () => {
    const { fixed } = parts({ 'AGENTS.md': 'Be kind.', 'more.md': 'Be quick.' })
    expect(fixed.blocks()[1]).toBe(`${INSTRUCTIONS}\n\n<instructions file="more.md">\nBe quick.\n</instructions>`)
  })

  it('has of a long file 40,000 characters, and says so', () => {
    const shown = (length: number) => parts({ 'MEMORY.md': 'x'.repeat(length) }).fixed.current().memory ?? ''
    expect(shown(40_000)).toContain(`\n${'x'.repeat(40_000)}\n</memory>`)
    expect(shown(40_001)).toContain(
      `\n${'x'.repeat(40_000)}\n[… the rest of MEMORY.md is left out, read it]\n</memory>`,
    )
  })

  it('names instructions of other folders, forty of them', () => {
    const start =
      'These folders have instructions of their own. Read the file before you change anything in its folder:\n'
    const names = Array.from({ length: 41 }, (_, i) => `f${i}/AGENTS.md`)
    const { fixed } = parts({ 'AGENTS.md': 'Be kind.' }, names.slice(0, 2))
    expect(fixed.blocks()[1]).toBe(`${INSTRUCTIONS}\n\n${start}f0/AGENTS.md\nf1/AGENTS.md`)
    expect(fixed.elsewhere).toEqual(names.slice(0, 2))
    expect(parts({}, names.slice(0, 40)).fixed.blocks()[1]).toBe(`${start}${names.slice(0, 40).join('\n')}`)
    expect(parts({}, names).fixed.blocks()[1]).toBe(
      `${start}${names.slice(0, 40).join('\n')}\n[… and 1 more: find **/AGENTS.md]`,
    )
  })
})

describe('a file that changes', () => {
  const HEAD = (what: string) => `The ${what} below have changed and replace what was said of them before.\n\n`

  it('is sent after an entry, and comes first after the next compaction', () => {
    const { fixed, put } = parts({ 'AGENTS.md': 'Be kind.' })
    fixed.refresh(3)
    expect(fixed.changes).toEqual([])
    put('MEMORY.md', 'The sky is blue.')
    fixed.refresh(5)
    fixed.refresh(7)
    expect(fixed.changes).toEqual([{ after: 5, text: `${HEAD('facts')}${MEMORY}` }])
    expect(fixed.blocks()).toEqual(['SYSTEM', INSTRUCTIONS])
    expect(fixed.renewed()).toEqual({ system: 'SYSTEM', instructions: INSTRUCTIONS, memory: MEMORY })
    fixed.renew()
    expect(fixed.changes).toEqual([])
    expect(fixed.blocks()).toEqual(['SYSTEM', INSTRUCTIONS, MEMORY])
  })

  it('is sent in the order of its changes, also when it is gone', () => {
    const { fixed, put, remove } = parts({ 'AGENTS.md': 'Be rude.' })
    put('AGENTS.md', 'Be kind.')
    fixed.refresh(1)
    remove('AGENTS.md')
    fixed.refresh(2)
    expect(fixed.changes).toEqual([
      { after: 1, text: `${HEAD('instructions')}${INSTRUCTIONS}` },
      { after: 2, text: `${HEAD('instructions')}There are none now.` },
    ])
  })
})

it('a file that is not read is reported to the user once, until it is read and refused again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-fixed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let readable = false
  const limits = { inside: folder, mayRead: () => readable }
  const path = join(folder, 'AGENTS.md')
  writeFileSync(path, 'Be kind.')
  const fixed = FixedParts.read('SYSTEM', { instructions: [{ path, name: 'AGENTS.md', limits }], memory: [] })
  expect(fixed.newRefusals()).toEqual([expect.stringMatching(/^AGENTS\.md is not read: /)])
  fixed.refresh(1)
  expect(fixed.newRefusals()).toEqual([])
  readable = true
  fixed.refresh(2)
  expect(fixed.newRefusals()).toEqual([])
  readable = false
  fixed.refresh(3)
  expect(fixed.newRefusals()).toHaveLength(1)
})

it('a changed permission mode moves to the front when the cache is void anyway', () => {
  let mode = 'ask'
  const fixed = FixedParts.read('SYSTEM', { instructions: [], memory: [], mode: () => mode })
  const asks = fixed.blocks()
  expect(asks).toEqual(["SYSTEM\nThe user's permission mode is ask now."])
  mode = 'full'
  fixed.refresh(4)
  expect(fixed.blocks()).toEqual(asks)
  expect(fixed.changes).toEqual([])
  expect(fixed.mode).toEqual({ sent: modeSentence('ask'), now: modeSentence('full') })
  fixed.renew()
  expect(fixed.blocks()).toEqual(["SYSTEM\nThe user's permission mode is full now."])
})
