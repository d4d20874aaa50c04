import { describe, expect, it } from 'vitest'
import { readScript } from '../../../../src/agent/permissions/shell/read-script.ts'
import type { FileProbe } from '../../../../src/agent/permissions/shell/text-shape.ts'
import { forbiddenPaths, usesForbidden } from '../../../../src/agent/permissions/shell/uses-forbidden.ts'

const PLACE = { workspace: '/shop/shop', home: '/home/me' }

/** Whether a command line uses `.env` of its workspace, and the word that says so. */
function usesEnv(command: string, kind: 'read' | 'edit' = 'read', probe?: FileProbe): string {
  const forbidden = forbiddenPaths('.env', PLACE.workspace)
  const found = readScript(command, PLACE).runs.flatMap(
    (run) => usesForbidden(forbidden, run, kind, { ...PLACE, probe }) ?? [],
  )
  const worst = found.find(({ answer }) => answer === 'yes') ?? found[0]
  return worst === undefined ? 'no' : `${worst.answer}: ${worst.source}`
}

describe('a forbidden file', () => {
  it.each([
    ['cat .env', 'yes: .env'],
    ['cat "$X" .env', 'yes: .env'],
    ['cat ./sub/../.env', 'yes: ./sub/../.env'],
    ['cat /shop/shop/.env', 'yes: /shop/shop/.env'],
    ['cat sub/.env', 'no'],
    ['cat x.env .envx /.env', 'no'],
    ['cat < .env', 'yes: .env'],
    ['cat > .env', 'yes: .env'],
    ['echo .env', 'no'],
    ['ls .env', 'no'],
    ['cat "$X"', 'maybe: "$X"'],
    ['cat .e*', 'maybe: .e*'],
    ['cat *', 'no'],
    ['cat sub/*', 'no'],
    ["cat ''", 'no'],
    ['some-tool .env', 'yes: .env'],
    ['x; cat .env; y', 'yes: .env'],
  ])('is read by %s: %s', (command, answer) => {
    expect(usesEnv(command)).toBe(answer)
  })

  it.each([
    ['cat --f=.env', 'yes: --f=.env'],
    ['cat -f.env', 'yes: -f.env'],
    ['cat @.env', 'yes: @.env'],
    ['cat HEAD:.env', 'yes: HEAD:.env'],
    ['cat .env:/x', 'yes: .env:/x'],
    ['cat a,.env', 'yes: a,.env'],
    ['cat .env,a', 'yes: .env,a'],
    ['cat -.env', 'no'],
    ['cat f.env', 'no'],
    ['cat file:///shop/shop/.env', 'yes: file:///shop/shop/.env'],
    ['cat https://x/.env http://x=.env', 'no'],
    ['cat xhttps://x=.env', 'yes: xhttps://x=.env'],
    ['cat "https://$X"', 'no'],
    ['cat "-$X"', 'no'],
    ['cat "--f=$X"', 'maybe: "--f=$X"'],
    ['cat "--f=.$X"', 'maybe: "--f=.$X"'],
    ['cat "--f=a$X"', 'no'],
    ['cat "a:$X"', 'maybe: "a:$X"'],
    ['cat "@$X"', 'maybe: "@$X"'],
    [`cat ${'x'.repeat(4_091)}@.env`, `yes: ${'x'.repeat(4_091)}@.env`],
    [`cat ${'x'.repeat(4_092)}@.env`, 'no'],
  ])('may be in a word: %s: %s', (command, answer) => {
    expect(usesEnv(command)).toBe(answer)
  })

  it.each([
    ['cat /proc/self/cwd/.env', 'yes: /proc/self/cwd/.env'],
    ['cat /proc/1/root/shop/shop/.env', 'yes: /proc/1/root/shop/shop/.env'],
    ['cat /proc/1/root/.envx', 'no'],
    ['cat /mnt/shop/.env', 'yes: /mnt/shop/.env'],
    ['cat /mnt/other/.env', 'no'],
    ['cat mnt/shop/.env', 'no'],
  ])('may be the target of a link: %s: %s', (command, answer) => {
    expect(usesEnv(command)).toBe(answer)
  })

  it.each([
    ['cd sub && cat ../.env', 'yes: ../.env'],
    ['cd sub && cat .env', 'no'],
    ['cd sub; cat ../.env', 'maybe: ../.env'],
    ['cd sub; cat .env', 'maybe: .env'],
    ['tar -C .. shop/.env', 'maybe: shop/.env'],
    ['make -C sub ../.env', 'maybe: ../.env'],
    ['x --cwd sub ../.env', 'maybe: ../.env'],
    ['x --cwd=sub ../.env', 'maybe: ../.env'],
    ['x --prefix .. shop/.env', 'maybe: shop/.env'],
    ['x --prefix=.. shop/.env', 'maybe: shop/.env'],
    ['x --directory .. shop/.env', 'maybe: shop/.env'],
    ['x --chdir=.. shop/.env', 'maybe: shop/.env'],
    ['x --work-tree=.. shop/.env', 'maybe: shop/.env'],
    ['x -Cx .. shop/.env', 'no'],
    ['x y-C .. shop/.env', 'no'],
    ['x y--cwd=.. shop/.env', 'no'],
  ])('is seen from the folder of the command: %s: %s', (command, answer) => {
    expect(usesEnv(command)).toBe(answer)
  })

  it.each([
    ['grep .env src', 'no'],
    ['grep -n .env', 'no'],
    ['grep x .env', 'yes: .env'],
    ['grep -e x .env', 'yes: .env'],
    ['grep -f .env src', 'yes: .env'],
    ['grep --regexp=x .env', 'yes: .env'],
    ['grep --include=.env x src', 'no'],
    ['grep "$X" src', 'no'],
    ['grep "$X" .env', 'yes: .env'],
    ['grep - .env', 'yes: .env'],
    ['grep -- --exclude .env', 'yes: .env'],
    ['grep -r -- --exclude .env', 'yes: .env'],
    ['grep -e .env src', 'no'],
    ['grep -n -A 3 .env src', 'no'],
    ['grep --file=.env src', 'yes: --file=.env'],
    ['grep -nf.env src', 'yes: -nf.env'],
    ['grep --unknown=.env x src', 'yes: --unknown=.env'],
    ["rg --hidden x -g '!.env'", 'no'],
    ['rg -r .env x src', 'no'],
    ['sed -n p .env', 'yes: .env'],
    ['npm run "$X"', 'no'],
    ['pnpm "$X"', 'no'],
    ['yarn "$X"', 'no'],
    ['npm run .env', 'yes: .env'],
    ['npmx "$X"', 'maybe: "$X"'],
  ])('is not a pattern or the name of a script: %s: %s', (command, answer) => {
    expect(usesEnv(command)).toBe(answer)
  })

  it.each([
    ['git show HEAD:.env', 'yes: HEAD:.env'],
    ['git status .env', 'no'],
    ['git check-ignore .env', 'no'],
    ['git check-ignore -v .env', 'no'],
    ['git status -uno .env', 'no'],
    ['git status -v .env', 'yes: .env'],
    ['git ls-files -c .env', 'no'],
    ['git log --dd .env', 'yes: .env'],
    ['git ls-files .env', 'no'],
    ['git branch .env', 'no'],
    ['git tag .env', 'no'],
    ['git config .env', 'no'],
    ['git log .env', 'no'],
    ['git -c a=b log .env', 'no'],
    ['git log -p .env', 'yes: .env'],
    ['git log --patch-with-stat .env', 'yes: .env'],
    ['git log --oneline .env', 'no'],
    ['git config -f .env -l', 'yes: .env'],
    ['git diff .env log', 'yes: .env'],
    ['git commit -m .env', 'no'],
    ['git commit -am .env', 'no'],
    ['git commit --message .env', 'no'],
    ['git diff -S .env', 'no'],
    ['git diff -G .env', 'no'],
    ['git diff --author .env', 'no'],
    ['git diff x-m .env', 'yes: .env'],
    ['git checkout .env', 'yes: .env'],
    ['git checkout $X', 'no'],
    ['git switch $X', 'no'],
    ['git merge $X', 'no'],
    ['git rebase $X', 'no'],
    ['git fetch $X', 'no'],
    ['git pull $X', 'no'],
    ['git push $X', 'no'],
    ['git reset $X', 'no'],
    ['git -C sub checkout $X', 'no'],
    ['git show $X', 'maybe: $X'],
    ['git -C sub diff ../.env', 'maybe: ../.env'],
  ])('is not a name or message of git: %s: %s', (command, answer) => {
    expect(usesEnv(command)).toBe(answer)
  })

  it.each([
    [`node -e "f('.env')"`, 'maybe: .env'],
    [`node -e "f('.e' + 'nv')"`, 'maybe: .env'],
    [`node -e "f('x')"`, 'no'],
    [`python3 <<< "open('.env')"`, 'maybe: .env'],
    [`echo "open('.env')" > x.py; python3 x.py`, 'maybe: .env'],
    [`cat "f('.env')"`, 'no'],
    [`git x "f('.env')"`, 'no'],
    ['some-tool "look at .env"', 'maybe: .env'],
  ])('may be named in code: %s: %s', (command, answer) => {
    expect(usesEnv(command)).toBe(answer)
  })
})

describe('a file that may not be edited', () => {
  it.each([
    ['cat .env', 'no'],
    ['cat < .env', 'no'],
    ['cat > .env', 'yes: .env'],
    ['cat >> .env', 'yes: .env'],
    ['sed s/a/b/ .env', 'no'],
    ['sed -i s/a/b/ .env', 'yes: .env'],
    ['git checkout -- .env', 'yes: .env'],
    ['git -C . rm .env', 'maybe: .env'],
    ['git add .env', 'no'],
    ['rm .env', 'yes: .env'],
    ['rm "$X"', 'maybe: "$X"'],
    ['rm "$X" .env', 'yes: .env'],
    ['rm -r .', 'maybe: .'],
    ['rm --recursive .', 'maybe: .'],
    ['rm .', 'no'],
    ['rm -rf src', 'no'],
    ['mv .env x', 'yes: .env'],
    ['mv x .env', 'yes: .env'],
    ['mv . x', 'maybe: .'],
    ['cp .env x', 'no'],
    ['cp x .env', 'yes: .env'],
    ['touch "$X"', 'maybe: "$X"'],
    ['tee .env', 'yes: .env'],
    ['chmod 600 .env', 'yes: .env'],
    ['vim .env', 'yes: .env'],
    ['vim "$X"', 'maybe: "$X"'],
    ['rsync . h:', 'maybe: .'],
    ['node app.js .env', 'no'],
    ['some-tool .env', 'no'],
    [`node -e "f('.env')"`, 'maybe: .env'],
    ['find . -delete', 'maybe: -delete'],
    ['find . -name a -delete', 'no'],
  ])('is changed by %s: %s', (command, answer) => {
    expect(usesEnv(command, 'edit')).toBe(answer)
  })
})

describe('with a probe of the disk', () => {
  const probe = (...files: string[]): FileProbe => ({ exists: (path) => files.includes(path), below: () => files })

  it('a word with a hole reads only what there is', () => {
    expect(usesEnv('cat .e*', 'read', probe('/shop/shop/.env'))).toBe('maybe: .e*')
    expect(usesEnv('cat .e*', 'read', probe())).toBe('no')
    expect(usesEnv('cat .env', 'read', probe())).toBe('yes: .env')
    expect(usesEnv('grep -r x', 'read', probe())).toBe('no')
    expect(usesEnv('grep -r x', 'read', probe('/shop/shop/.env'))).toBe('maybe: grep')
  })

  it('a word with a hole may make a file that there is not', () => {
    expect(usesEnv('touch .e*', 'edit', probe())).toBe('maybe: .e*')
  })
})
