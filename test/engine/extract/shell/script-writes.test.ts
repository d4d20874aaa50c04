import { describe, expect, it } from 'vitest'
import { shellEdits, shellFiles } from '../../../../src/engine/extract/shell/shell-files.ts'

const written = (command: string) =>
  shellFiles(command, '/repo')
    .filter(({ access }) => access === 'modified')
    .map(({ path }) => path)

describe('a script in a command line writes', () => {
  it.each([
    [
      "python3 - <<'EOF'\np = 'src/lease.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a', 'b'))\nEOF",
      ['/repo/src/lease.py'],
    ],
    ["python3 -c \"open('out.txt', 'w').write('x')\"", ['/repo/out.txt']],
    ["python - <<'EOF'\nfrom pathlib import Path\nPath('a.toml').write_text('x = 1')\nEOF", ['/repo/a.toml']],
    ["node -e \"require('fs').writeFileSync('data/pinned.json', '{}')\"", ['/repo/data/pinned.json']],
    [
      "cat > mend.py <<'EOF'\nwith open('src/a.c', 'w') as f:\n    f.write(s)\nEOF\npython3 mend.py",
      ['/repo/mend.py', '/repo/src/a.c'],
    ],
    ['python3 -c "print(open(\'src/lease.py\').read())"', []],
    ["python3 -c \"open(sys.argv[1], 'w').write('x')\" a.txt", []],
    ["cat > mend.py <<'EOF'\nopen('src/a.c', 'w')\nEOF", ['/repo/mend.py']],
  ])('%s', (command, paths) => expect(written(command)).toEqual(paths))
})

it('the text that it replaces is an edit of the one file that it writes', () => {
  const script = [
    "python3 - <<'EOF'",
    "p = 'src/lease.py'",
    's = open(p).read()',
    "s = s.replace('LEASE = 30', 'LEASE = 60')",
    's = s.replace("""def renew():\n    pass""", """def renew(now):\n    keep(now)""")',
    "open(p, 'w').write(s)",
    'EOF',
  ]
  expect(shellEdits(script.join('\n'), '/repo').get('/repo/src/lease.py')).toEqual([
    { before: 'LEASE = 30', after: 'LEASE = 60' },
    { before: 'def renew():\n    pass', after: 'def renew(now):\n    keep(now)' },
  ])
})

it.each(['.replace(', '.replace("""', "open('", "p = '", '.replace("a", '])(
  'a hundred thousand characters of %s take little time',
  (text) => {
    const command = `python3 - <<'EOF'\nopen('a', 'w')\n${text.repeat(100_000 / text.length)}\nEOF`
    expect(shellEdits(command, '/repo').size).toBeLessThan(3)
  },
)
