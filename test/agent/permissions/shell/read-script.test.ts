import { expect, it } from 'vitest'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'

function reading(command: string) {
  const { runs, doubts } = readScript(command, { workspace: '/work', home: '/home/me' })
  return { runs: runs.map(({ words }) => words.map(({ text }) => text).join(' ')), doubts }
}

it('a command that runs another is read six deep, and what is deeper is in doubt', () => {
  expect(reading(`${'eval '.repeat(5)}git push`)).toMatchObject({
    runs: expect.arrayContaining(['git push']),
    doubts: [],
  })
  expect(reading(`${'eval '.repeat(6)}git push`)).toMatchObject({
    runs: expect.not.arrayContaining(['git push']),
    doubts: ['git push'],
  })
})

it('a command line of more than 130,000 characters is not read, and is in doubt', () => {
  expect(reading('git push'.padEnd(130_000))).toEqual({ runs: ['git push'], doubts: [] })
  const long = 'git push'.padEnd(130_001)
  expect(reading(long)).toEqual({ runs: [], doubts: [long] })
})
