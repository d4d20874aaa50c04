import { expect, it } from 'vitest'
import { shellTokens } from '../../../../src/engine/extract/shell/shell-lexer.ts'

const word = (text: string) => ({ type: 'word', text, open: false })
const newline = { type: 'operator', text: '\n' }

it('a heredoc is one token with its body, and the line continues after its mark', () => {
  expect(shellTokens('cat <<EOF > out\nx\nEOF\nls')).toEqual([
    word('cat'),
    { type: 'heredoc', body: 'x\n' },
    { type: 'redirect', text: '>' },
    word('out'),
    newline,
    word('ls'),
  ])
})

it('a heredoc without a mark is nothing', () => {
  expect(shellTokens('cat <<')).toEqual([word('cat')])
  expect(shellTokens('cat <<\nls')).toEqual([word('cat'), newline, word('ls')])
  expect(shellTokens('cat << ; ls')).toEqual([word('cat'), { type: 'operator', text: ';' }, word('ls')])
})
