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
})
