import { describe, expect, it } from 'vitest'
import { promptReport, promptSections } from '../../../src/engine/report/prompt-report.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'

const titles = (prompt: string) => promptSections(prompt, charactersByFour).map(({ title }) => title)

describe('the sections of a prompt', () => {
  it('begin with a heading, and the text before the first one has its first line as a title', () => {
    expect(titles('You are an agent.\nHelp.\n\n# Tone\nBrief.\n## Tools\n### Bash\nUse it.')).toEqual([
      'You are an agent.',
      'Tone',
      'Tools',
    ])
  })

  it('do not begin with a comment in code, nor with an example', () => {
    const code = '# Commands\n```sh\n# build it\nnpm run build\n```\nThat is all.'
    const examples = '<example>\n# Not a heading of the prompt?\n</example>\n<example>\nTwo\n</example>'
    expect(titles(code)).toEqual(['Commands'])
    expect(titles(`# Commands\n${examples}`)).not.toContain('example')
  })

  it('are elements that the prompt has once, whole, by the name of their file if they have one', () => {
    const prompt =
      '<env>\n# Folder\n/w\n</env>\nWork there.\n<instructions file="AGENTS.md">\n# Build\nnpm\n</instructions>'
    expect(titles(prompt)).toEqual(['env', 'Work there.', 'AGENTS.md'])
    expect(titles(prompt.replace('there.', 'there, by these rules:'))).toEqual(['env', 'AGENTS.md'])
  })

  it('have every line of the prompt once', () => {
    const prompt = 'First.\n# A\n<env>\nx\n</env>\nlast'
    expect(
      promptSections(prompt, charactersByFour)
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(prompt)
    expect(titles('')).toEqual([])
    expect(titles('<env>\nnever closed')).toEqual(['<env>'])
  })

  it('are reported with the part that they belong to, their tokens and their cost', () => {
    const fixed = {
      system: 'You are an agent.',
      instructions: '<instructions file="AGENTS.md">\nBe kind.\n</instructions>',
    }
    const report = promptReport(fixed, charactersByFour, { input: 3, output: 15, cacheRead: 0.3 })
    expect(report.sections.map(({ part, title }) => [part, title])).toEqual([
      ['system', 'You are an agent.'],
      ['instructions', 'AGENTS.md'],
    ])
    expect(report.tokens).toBe(report.sections.reduce((sum, { tokens }) => sum + tokens, 0))
    expect(report.cost).toBeCloseTo((report.tokens * 3) / 1_000_000)
  })
})
