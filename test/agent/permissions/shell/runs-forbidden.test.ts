import { describe, expect, it } from 'vitest'
import { plainWords } from '../../../../src/agent/permissions/command-pattern.ts'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'
import { runsForbidden } from '../../../../src/agent/permissions/shell/runs-forbidden.ts'

const PLACE = { workspace: '/shop', home: '/home/me' }

/** Whether a command line runs what a pattern forbids. */
function answerOf(pattern: string, command: string): string {
  const { runs } = readScript(command, PLACE)
  const found = runs.flatMap((run) => runsForbidden(plainWords(pattern) ?? [], run, PLACE) ?? [])
  return (found.find(({ answer }) => answer === 'yes') ?? found[0])?.answer ?? 'no'
}

describe('a forbidden command', () => {
  it.each([
    ['git push *', 'git push', 'yes'],
    ['git push *', 'git push origin', 'yes'],
    ['git push *', 'git pull', 'no'],
    ['git push *', 'git pushx', 'no'],
    ['git push *', '/usr/bin/git push', 'yes'],
    ['git push *', 'mygit push', 'no'],
    ['git push', 'git push', 'yes'],
    ['git push', 'git push x', 'no'],
    ['git p*', 'git push', 'yes'],
    ['git p*', 'git add', 'no'],
    ['npm run build:*', 'npm run build:x', 'yes'],
    ['npm run build:*', 'npm run test', 'no'],
    ['docker *', 'docker', 'yes'],
  ])('%s is %s: %s', (pattern, command, answer) => {
    expect(answerOf(pattern, command)).toBe(answer)
  })

  it.each([
    ['git push *', 'git "$X"', 'maybe'],
    ['git push *', '"$X" push', 'maybe'],
    ['git push *', '"$X"', 'no'],
    ['git push *', '$X', 'maybe'],
    ['git push *', 'git {push,pull}', 'maybe'],
    ['git push *', 'git "a$X"', 'no'],
    ['git push *', 'git "pu$X"', 'maybe'],
    ['git push *', '"$D/git" push', 'maybe'],
    ['git push *', '"/opt/$D/git" push', 'maybe'],
    ['git push *', '"$D/a/gi$X" push', 'maybe'],
    ['git push *', '"$D/x" push', 'no'],
    ['ab-x *', '"$X-x" a', 'maybe'],
    ['ab-x *', '"$X-y" a', 'no'],
    ['git push *', '"$D$E" push', 'maybe'],
    ['rm -rf /', 'rm -rf "$DIR/"', 'maybe'],
    ['node scripts/deploy.js', 'node "$D/deploy.js"', 'maybe'],
    ['docker run me/prod', 'docker run "$REG/prod"', 'maybe'],
    ['curl https://prod.x/*', 'curl "$H/a"', 'maybe'],
    ['git checkout main', 'git checkout "feature/$X"', 'no'],
    ['git checkout main', 'git checkout "feature/$X/main"', 'no'],
    ['git push origin main', 'git push origin "$X"', 'maybe'],
    ['git push origin main', 'git push --force origin "$X"', 'maybe'],
  ])('%s may be %s: %s', (pattern, command, answer) => {
    expect(answerOf(pattern, command)).toBe(answer)
  })

  it.each([
    ['git push *', 'git -C . push', 'yes'],
    ['git push *', 'git -C push pull', 'no'],
    ['git push *', 'git --no-pager push', 'yes'],
    ['git push *', 'git stash push', 'no'],
    ['git push *', 'git -C . "$X"', 'maybe'],
    ['npm publish *', 'npm --silent publish', 'yes'],
    ['npm publish *', 'npm --prefix x publish', 'yes'],
    ['npm publish *', 'npm --a b c publish', 'no'],
    ['npm publish *', 'npm run publish', 'no'],
    ['docker rm *', 'docker --host x rm y', 'yes'],
    ['npm --silent *', 'npm --prefix x --silent', 'yes'],
  ])('has options before its own command: %s and %s: %s', (pattern, command, answer) => {
    expect(answerOf(pattern, command)).toBe(answer)
  })

  it.each([
    ['rm -rf *', 'rm -rf x', 'yes'],
    ['rm -rf *', 'rm -fr x', 'yes'],
    ['rm -rf *', 'rm -r -f x', 'yes'],
    ['rm -rf *', 'rm x -rf', 'yes'],
    ['rm -rf *', 'rm -rvf x', 'yes'],
    ['rm -rf *', 'rm -r x', 'no'],
    ['rm -rf *', 'rm --rf x', 'no'],
    ['rm -rf *', 'rm - x', 'no'],
    ['rm --force *', 'rm -r --force x', 'yes'],
    ['rm --force *', 'rm -f x', 'no'],
    ['git push origin main', 'git push -q origin main', 'maybe'],
    ['git push origin main', 'git push origin main x', 'no'],
    ['git push origin main', 'git push origin', 'no'],
  ])('has options in any order: %s and %s: %s', (pattern, command, answer) => {
    expect(answerOf(pattern, command)).toBe(answer)
  })

  it.each([
    ['docker *', 'echo docker', 'no'],
    ['docker *', 'some-tool docker ps', 'maybe'],
    ['docker *', 'some-tool a docker ps', 'maybe'],
    ['docker *', 'kubectl docker', 'no'],
    ['docker *', 'kubectl exec docker', 'maybe'],
    ['rm *', 'docker rm x', 'no'],
    ['rm *', 'docker exec box rm x', 'maybe'],
    ['rm *', 'make rm', 'no'],
    ['rm *', 'npm rm', 'no'],
    ['rm *', 'cat rm', 'no'],
    ['rm *', 'watch /bin/rm x', 'maybe'],
    ['git push *', 'git bisect run git push', 'maybe'],
    ['git push *', 'git submodule foreach git push', 'maybe'],
    ['git push *', "git rebase -x 'git push' main", 'maybe'],
    ['git push *', "git difftool -x 'git push'", 'maybe'],
    ['git push *', "git filter-branch 'git push'", 'maybe'],
    ['git push *', 'git log git push', 'no'],
    ['git push *', "some-tool 'a git push b'", 'maybe'],
    ['git push *', 'some-tool git a push', 'no'],
    ['git push', 'some-tool git push x', 'maybe'],
    ['git push *', 'some-tool <<< "git push"', 'maybe'],
    ['git push *', 'cat <<< "git push"', 'no'],
    ['git push *', `python3 -c "os.system('git push')"`, 'maybe'],
    ['git push *', `python3 -c "run(['git', 'push'])"`, 'maybe'],
    ['git push *', `python3 -c "run(['git', '-C', '.', 'push'], check=True)"`, 'maybe'],
    ['git push *', `php -r "exec('git' . ' push')"`, 'maybe'],
    ['git push *', `python3 -c "print('git')"`, 'no'],
    ['git push *', `echo "os.system('git push')" > x.py; python3 x.py`, 'maybe'],
  ])('may be run by another: %s and %s: %s', (pattern, command, answer) => {
    expect(answerOf(pattern, command)).toBe(answer)
  })

  it('is quoted as it is written', () => {
    const { runs } = readScript('/usr/bin/git "$X"', PLACE)
    expect(runs.map((run) => runsForbidden(plainWords('git push *') ?? [], run, PLACE))).toEqual([
      { answer: 'maybe', source: '/usr/bin/git "$X"' },
    ])
  })
})
