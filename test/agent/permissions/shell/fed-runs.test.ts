import { describe, expect, it } from 'vitest'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'

/** What a command line runs besides itself; `…` is a word that is not known. */
function runsOf(command: string): string[] {
  const { runs } = readScript(command, { workspace: '/work', home: '/home/me' })
  return runs.map(({ words }) => words.map(({ text }) => text ?? '…').join(' ')).filter((run) => run !== command)
}

describe('parallel runs', () => {
  it.each([
    ['parallel git ::: push pull', ['git push', 'git pull']],
    ['parallel -k --bar git ::: push', ['git push']],
    ['parallel git -C . ::: push', ['git -C . push']],
    ['parallel git :::+ push :::+ pull', ['git push', 'git pull']],
    ['parallel git {} now ::: push', ['git push now push']],
    ['parallel $tool ::: push', ['parallel … ::: push', '… push']],
    ['parallel git ::: $word', ['parallel git ::: …', 'git …']],
    // Those words are in a file, or come from its input.
    ['parallel git :::: words.txt', ['git …']],
    ['parallel git ::::+ words.txt', ['git …']],
    ['parallel git ::: push :::: words.txt', ['git …']],
    ['parallel git', ['git …']],
    ['git parallel', []],
  ])('%s', (command, runs) => {
    expect(runsOf(command)).toEqual(runs)
  })
})
