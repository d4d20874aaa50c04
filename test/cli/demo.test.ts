import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demo } from '../../src/cli/commands/demo.ts'

describe('npm start', () => {
  it('shows a compaction of the bundled conversation and its undo', async () => {
    const lines: string[] = []
    await demo((line) => lines.push(line))
    const screen = lines.join('\n')
    const percents = [...screen.matchAll(/(\d+\.\d\d)% of \d+ tokens/g)].map((match) => Number(match[1]))
    expect(percents).toHaveLength(3)
    const [before = 0, after = 0, undone = 0] = percents
    expect(after).toBeLessThan(before)
    expect(undone).toBe(before)
    expect(screen).toContain('✓ Compacted')
    expect(screen).toContain('byte for byte the one before')
  })

  it('ends quietly when its reader stops reading', () => {
    const main = resolve(import.meta.dirname, '../../src/cli/main.ts')
    const { stdout, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${main}" | head -n 1`], {
      encoding: 'utf8',
    })
    expect(stdout).toContain('Pith')
    expect(stderr).toBe('')
  })
})
