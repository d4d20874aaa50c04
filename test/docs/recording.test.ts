import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const FILE = new URL('../../docs/images/terminal.svg', import.meta.url)

describe('the recording of the terminal', () => {
  it('shows a turn, a compaction with its outcome and a recall, in a small file without paths of a machine', () => {
    const svg = readFileSync(FILE, 'utf8')
    for (const text of ['%<', '›', '/compact', 'Compacted', 'Tokens:', '/recall']) expect(svg).toContain(text)
    expect(svg).not.toMatch(/\/(tmp|home|root|Users|work)\//)
    expect(svg.length).toBeLessThan(200_000)
  })
})
