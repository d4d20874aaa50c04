import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { frontMatter, promptFiles } from '../../../src/agent/fixed/prompt-files.ts'

/** A home and a workspace with these files, by paths below a common folder. */
function placesWith(files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-prompts-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(root, 'work'), { recursive: true })
  return { root, workspace: join(root, 'work'), home: join(root, 'home'), env: { PITH_HOME: join(root, 'pith') } }
}

describe('commands and skills in files', () => {
  it('are found where Claude Code, opencode, Codex and the open convention have them', () => {
    const places = placesWith({
      'work/.claude/commands/review.md': '---\ndescription: Review it\nargument-hint: [file] [level]\n---\nReview $1',
      'work/.claude/commands/git/commit.md': '# Commit\n\nCommit it.',
      'work/.opencode/commands/team/ask.md': 'Ask them',
      'home/.codex/prompts/fix.md': 'Fix it',
      'home/.codex/prompts/deeper/no.md': 'Codex looks into no folders',
      'work/.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: >\n  Fills in\n  PDF forms\n---\nbody',
      'home/.claude/skills/mine/SKILL.md': '---\ndescription: "My own"\ndisable-model-invocation: true\n---\nbody',
      'work/.claude/skills/not-a-skill.txt': '',
    })
    const { files, notice } = promptFiles(places)
    expect(notice).toBeUndefined()
    expect(files.map(({ name, about, takes, owner, forModel }) => [name, about, takes, owner, forModel])).toEqual([
      ['git:commit', 'Commit', undefined, 'project', false],
      ['mine', 'My own', undefined, 'user', false],
      ['pdf', 'Fills in PDF forms', undefined, 'project', true],
      ['prompts:fix', 'Fix it', undefined, 'user', false],
      ['review', 'Review it', '[file] [level]', 'project', false],
      ['team/ask', 'Ask them', undefined, 'project', false],
    ])
  })

  it('of the user win over those of the project, and the other one says so', () => {
    const places = placesWith({
      'work/.claude/commands/review.md': 'theirs',
      'home/.claude/commands/review.md': 'mine',
    })
    const { files } = promptFiles(places)
    expect(files.map(({ about, hiddenBy }) => [about, hiddenBy])).toEqual([
      ['mine', undefined],
      ['theirs', join(places.home, '.claude/commands/review.md')],
    ])
  })

  it('of a project are not used while its configuration is not trusted', () => {
    const { files, notice } = promptFiles(
      placesWith({
        'work/.claude/commands/review.md': 'theirs',
        'home/.claude/commands/mine.md': 'mine',
        'work/.pith/config.yaml': 'hooks: {}',
      }),
    )
    expect(files.map(({ name }) => name)).toEqual(['mine'])
    expect(notice).toContain('pith config trust')
  })

  it('of a project do not lead out of it by a link, and a never rule keeps them from being read', () => {
    const places = placesWith({
      'home/key.md': 'secret',
      'work/.claude/commands/a.md': 'a',
      'work/.claude/commands/b.md': 'b',
    })
    symlinkSync(join(places.home, 'key.md'), join(places.workspace, '.claude/commands/key.md'))
    const { files } = promptFiles({ ...places, mayRead: (path) => !path.endsWith('b.md') })
    expect(files.map(({ name }) => name)).toEqual(['a'])
  })

  it('have a front matter only at the beginning', () => {
    const { fields, body } = frontMatter('Text\n---\na: b\n---\n')
    expect([fields.size, body]).toEqual([0, 'Text\n---\na: b\n---\n'])
  })
})
