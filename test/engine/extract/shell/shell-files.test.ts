import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellFiles } from '../../../../src/engine/extract/shell/shell-files.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { full } from '../../../support/full.ts'

const LONG = full ? 200_000 : 40_000

/** `R path` for a file that is read, `M path` for one that is modified. */
function uses(command: string, folder?: string): string[] {
  return shellFiles(command, folder).map(({ path, access }) => `${access === 'read' ? 'R' : 'M'} ${path}`)
}

type Row = [command: string, ...files: string[]]

describe('a command that writes', () => {
  it.each<Row>([
    ['echo hi > out.txt', 'M out.txt'],
    ['echo hi >> out.txt', 'M out.txt'],
    ['make &> build.log', 'M build.log'],
    ['make >| build.log 2> errors.log', 'M build.log', 'M errors.log'],
    ['make >& build.log', 'M build.log'],
    ['make > /dev/null 2>&1'],
    ['echo 2 > "my file.txt"', 'M my file.txt'],
    ['npm test 2>&1 | tee -a test.log', 'M test.log'],
    ["sed -i 's/a/b/' src/a.ts src/b.ts", 'M src/a.ts', 'M src/b.ts'],
    ["sed -i '' 's/a/b/' a.ts", 'M a.ts'],
    ["sed -i.old -e 's/a/b/' a.ts", 'M a.ts'],
    ["sed -i -E -e 's/a/b/' -e 's/c/d/' a.ts", 'M a.ts'],
    ["sed --in-place=.bak 's/a/b/' a.ts", 'M a.ts'],
    ["perl -pi -e 's/a/b/' a.ts", 'M a.ts'],
    ["perl -i.bak -0pe 's/a/b/' a.ts", 'M a.ts'],
    ['mv a.ts b.ts', 'M a.ts', 'M b.ts'],
    ['mv a.ts b.ts lib/', 'M a.ts', 'M b.ts', 'M lib/a.ts', 'M lib/b.ts'],
    ['git mv a.ts b.ts', 'M a.ts', 'M b.ts'],
    ['cp -r a.ts b.ts', 'M b.ts'],
    ['cp src/a.ts .', 'M a.ts'],
    ['cp -t lib a.ts', 'M lib/a.ts'],
    ['rm -rf build "old file"', 'M build', 'M old file'],
    ['unlink a.ts', 'M a.ts'],
    ['git rm -f a.ts', 'M a.ts'],
    ['git rm --cached a.ts'],
    ['touch -d yesterday a b', 'M a', 'M b'],
    ['truncate -s 0 log.txt', 'M log.txt'],
    ['ln -sf ../a.ts b.ts', 'M b.ts'],
    ['install -m 755 bin/x /usr/local/bin/x', 'M /usr/local/bin/x'],
    ['dd if=a.img of=b.img bs=1M', 'R a.img', 'M b.img'],
    ['git checkout -- a.ts b.ts', 'M a.ts', 'M b.ts'],
    ['git checkout main -- a.ts', 'M a.ts'],
    ['git checkout src/a.ts', 'M src/a.ts'],
    ['git checkout -b feature/a.b'],
    ['git checkout v1.2.x'],
    ['git restore --source HEAD a.ts', 'M a.ts'],
    ['git restore --staged a.ts'],
    ['patch -p1 a.c < fix.diff', 'M a.c', 'R fix.diff'],
    ['git -C sub rm a.ts', 'M sub/a.ts'],
  ])('%s', (command, ...files) => expect(uses(command)).toEqual(files))
})

describe('a command that reads', () => {
  it.each<Row>([
    ['cat -n a.ts b.ts', 'R a.ts', 'R b.ts'],
    ['head -n 20 a.ts', 'R a.ts'],
    ['head -20 a.ts', 'R a.ts'],
    ['tail -n +5 a.ts', 'R a.ts'],
    ['tail -f -c100 a.log', 'R a.log'],
    ['less +G a.ts', 'R a.ts'],
    ["nl -ba a.ts | sed -n '1,5p'", 'R a.ts'],
    ['wc -l < a.ts', 'R a.ts'],
    ["sed -n '1,20p' a.ts", 'R a.ts'],
    ["awk -F: -v x=1 '{print $1}' a.txt", 'R a.txt'],
    ['grep -rn "TODO" src'],
    ['grep -n -A 3 "a|b" a.ts', 'R a.ts'],
    ['grep -e foo -e bar a.ts', 'R a.ts'],
    ['grep foo Makefile', 'R Makefile'],
    ["rg -n 'foo' -g '*.ts' src/a.ts src", 'R src/a.ts'],
    ['rg --files src/a.ts'],
    ["jq -r --arg x 1 '.a[] | .b' data.json", 'R data.json'],
    ['diff -U 3 a.ts b.ts', 'R a.ts', 'R b.ts'],
    ['cat < in.txt', 'R in.txt'],
    ['sort -k 2 a.txt -o b.txt', 'R a.txt', 'M b.txt'],
  ])('%s', (command, ...files) => expect(uses(command)).toEqual(files))
})

describe('the shell around a command', () => {
  it.each<Row>([
    ['cd src && cat a.ts && cd ../test && cat ./b.ts', 'R src/a.ts', 'R test/b.ts'],
    ['cd /repo/x/../y && cat a.ts', 'R /repo/y/a.ts'],
    ['(cd src && cat a.ts); cat b.ts', 'R src/a.ts', 'R b.ts'],
    ['cd "$DIR" && cat a.ts /etc/hosts', 'R /etc/hosts'],
    ['cat $FILE `ls` $(ls) *.ts src/{a,b}.ts "$X/a.ts"'],
    ["cat 'app/[id]/page.tsx'", 'R app/[id]/page.tsx'],
    ['sudo -u root cat a.ts', 'R a.ts'],
    ['FOO=1 env BAR=2 timeout -k 5 10 cat a.ts', 'R a.ts'],
    ['time nohup cat a.ts > out &', 'R a.ts', 'M out'],
    ['find . -name "*.ts" | xargs grep foo > hits.txt', 'M hits.txt'],
    ['if [ -f a ]; then cat a; else touch b; fi', 'R a', 'M b'],
    ['for f in a b; do cat "$f"; done > all.txt', 'M all.txt'],
    ['[[ a > b ]] && (( c > d )) || echo x'],
    ['echo "a > b; rm c" \'> d\' \\> e # > f'],
    ['bash -lc "cd src && rm a.ts"', 'M src/a.ts'],
    ['eval "rm a.ts"', 'M a.ts'],
    ['cat a.ts; cat a.ts', 'R a.ts'],
    ['cat \\\n  a.ts', 'R a.ts'],
    ['/bin/cat a.ts', 'R a.ts'],
    ['curl -s https://example.org > page.html', 'M page.html'],
    ['diff <(sort a) b.txt', 'R b.txt'],
    ['cat <<< "rm x" > f', 'M f'],
  ])('%s', (command, ...files) => expect(uses(command)).toEqual(files))

  it('a folder for relative paths is given by the caller', () => {
    expect(uses('cat a.ts && cd .. && cat b.ts /c.ts', '/repo/x')).toEqual([
      'R /repo/x/a.ts',
      'R /repo/b.ts',
      'R /c.ts',
    ])
  })
})

describe('a heredoc', () => {
  it('is skipped, and the commands after it are not', () => {
    expect(uses("cat > a.py <<'EOF'\nrm x > y\ndon't\nEOF\nrm b.py")).toEqual(['M a.py', 'M b.py'])
    expect(uses('cat <<-EOF > a.py\n\trm x\n\tEOF\ntouch c')).toEqual(['M a.py', 'M c'])
    expect(uses('cat <<A <<B > c\nrm a\nA\nrm b\nB\ntouch d')).toEqual(['M c', 'M d'])
  })

  it('inside a substitution may hold quotes and parentheses', () => {
    const message = `git commit -m "$(cat <<'EOF'\nDon't :) rm x > y "\nEOF\n)" && touch done.txt`
    expect(uses(message)).toEqual(['M done.txt'])
  })

  it('that stays open swallows the rest', () => {
    expect(uses('cat > a <<EOF\nrm b\n')).toEqual(['M a'])
  })

  it('fed to apply_patch is a patch', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** End Patch'
    expect(uses(`cd src && apply_patch <<'EOF'\n${patch}\nEOF`)).toEqual(['M src/a.ts', 'M src/b.ts'])
    expect(uses(`apply_patch '${patch}'`)).toEqual(['M a.ts', 'M b.ts'])
  })

  it('fed to patch or git apply is a diff', () => {
    const diff = '--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b'
    expect(uses(`patch -p1 <<'EOF'\n${diff}\nEOF`)).toEqual(['M x.c'])
    expect(uses(`git apply - <<'EOF'\n${diff}\nEOF`)).toEqual(['M x.c'])
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...['cat', 'sed', '-i', 'rm', 'git', 'cd', 'bash', '-c', 'sudo', 'a.ts', '..', '/x', '~', '-', '--', '*'],
    ...[' ', '\n', '\t', "'", '"', '\\', '$', '$(', '${', '`', '(', '((', ')', '}', '{', '[[', ']]', '#', ';', '&&'],
    ...['||', '|', '&', '>', '>>', '<', '<<', '<<-EOF', "<<'EOF'", 'EOF', '<<<', '<(', '>&', '2>&1', '&>', '=', "$'"],
  )
  const script = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
  )
  const runs = full ? 50_000 : 300

  it('gives paths, and never throws', () => {
    fc.assert(
      fc.property(script, fc.option(fc.constantFrom('', '/work', 'src'), { nil: undefined }), (command, folder) => {
        for (const { path, access } of shellFiles(command, folder)) {
          expect(path).not.toBe('')
          expect(['read', 'modified']).toContain(access)
        }
      }),
      { numRuns: runs },
    )
  })

  it('of great length takes little time, however unfinished', () => {
    const pieces = [
      '(',
      '((',
      '$(',
      '${',
      '"$(',
      '`',
      "'",
      '"',
      '<<E\n',
      'sudo ',
      '> ',
      '[',
      '{a',
      '$(<<E\n',
      'a=1 ',
      '\\',
    ]
    for (const piece of [...pieces, 'cat a\n', 'cd a;', 'git -C a ', 'bash -c "', '-i ', '--- a\n+++ b\n', 'sed -i ']) {
      const start = performance.now()
      shellFiles(piece.repeat(LONG / piece.length))
      shellFiles(`cat ${piece.repeat(LONG / piece.length)}`)
      expect(performance.now() - start, piece).toBeLessThan(5_000)
    }
  })
})
