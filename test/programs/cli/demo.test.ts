import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { demo } from '../../../src/cli/commands/demo.ts'
import { shellWord } from '../../../src/model/text.ts'

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts')

describe('npm start without a terminal', () => {
  it('shows what fills the window, a compaction of the bundled session and its undo', async () => {
    const lines: string[] = []
    await demo((line) => lines.push(line))
    const screen = lines.join('\n')
    const percents = [...screen.matchAll(/(\d+\.\d\d)% of [\d,]+ tokens/g)].map((match) => Number(match[1]))
    expect(percents).toHaveLength(3)
    const [before = 0, after = 0, undone = 0] = percents
    expect(after).toBeLessThan(before)
    expect(undone).toBe(before)
    expect(screen).toMatch(/tool results +[\d,]+ +\d+\.\d\d%/)
    expect(screen).toContain('✓ Compacted')
    expect(screen).toContain('byte for byte the one before')
  })

  it('has no line that wraps on a terminal of 80 columns', async () => {
    const lines: string[] = []
    await demo((line) => lines.push(...line.split('\n')))
    expect(lines.filter((line) => [...line].length > 80)).toEqual([])
  })

  it('ends well by itself, without colours', () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN], { encoding: 'utf8', input: '' })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('3. The undo')
  })

  it('ends quietly when its reader stops reading', () => {
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', `${shellWord(process.execPath)} ${shellWord(inject('program'))} | head -n 1`],
      {
        encoding: 'utf8',
        input: '',
      },
    )
    expect(stdout).toContain('Pith')
    expect(stderr).toBe('')
  })
})
