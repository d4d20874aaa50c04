import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { displayWidth, fitted, fittedPath, wrappedFacts } from '../../../src/cli/output/show.ts'
import { needsScript, shell } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')

describe('a text that has to fit', () => {
  it('is measured in columns of the terminal', () => {
    expect(['abc', 'é', 'e\u0301', '漢字', '\u001b[31mred\u001b[0m'].map(displayWidth)).toEqual([3, 1, 1, 4, 3])
  })

  it('is cut at its end, a path at its beginning', () => {
    expect(fitted('one two three', 9)).toBe('one two…')
    expect(fitted('漢字漢字', 6)).toBe('漢字…')
    expect(fittedPath('/home/me/project', 10)).toBe('…e/project')
  })

  it('is one line in which nothing moves the cursor', () => {
    expect(fitted('a\n\tb\u001b[2Jc', 40)).toBe('a b\\u001b[2Jc')
  })

  it('breaks between facts, not inside them', () => {
    expect(wrappedFacts(['one', 'two', 'three'], 9)).toEqual(['one · two', 'three'])
  })
})

describe('a terminal of 80 columns', () => {
  it('has no line of pith inspect and pith replay that wraps', (test) => {
    needsScript(test)
    const folders = configFolders()
    const FILE = join(FIXTURES, 'claude-code-compacted.jsonl')
    for (const command of ['inspect "$FILE"', 'replay example --window 12k']) {
      const typed = `stty cols 80; "$NODE" "$MAIN" ${command}`
      const { stdout } = shell(folders, `script -qec '${typed}' /dev/null`, { TERM: 'xterm-256color', FILE })
      expect(stdout).toContain('\u001b[')
      const lines = stripVTControlCharacters(stdout).split(/\r?\n/)
      expect(lines.length).toBeGreaterThan(10)
      expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([])
    }
  })
})
