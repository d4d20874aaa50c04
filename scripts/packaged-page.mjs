import { posix } from 'node:path'

/**
 * A page as it is in the package. Of its links into the repository those stay that lead to a file of the package. The
 * others become addresses where the address of the repository is known, and else plain text; a picture goes then.
 * The README is shown apart from the package, so there all of them become addresses. A page that names files or commands of
 * the repository in its text says at its end where they are.
 */
export function packagedPage(page, text, { files, repository, version }) {
  const isShownApart = page === 'README.md' && repository !== undefined
  const resolved = (link, kind) => {
    const [path, anchor] = link.split('#')
    if (/^[a-z]+:/.test(link) || path === '') return link
    const target = posix.join(posix.dirname(page), path)
    if (isInside(files, target) && !isShownApart) return link
    const address = `${repository}/${kind}/v${version}/${target}`
    return repository === undefined ? undefined : anchor === undefined ? address : `${address}#${anchor}`
  }
  const parts = text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : withLinks(part, resolved)))
  const namesOthers = parts.some((part) => !part.startsWith('```') && namesRepository(part, files))
  return namesOthers ? `${parts.join('').trimEnd()}\n\n${ELSEWHERE}\n` : parts.join('')
}

const ELSEWHERE =
  'The files under `src`, `test`, `bench` and `scripts` that this page names, and the commands `npm run …`, are in the repository of Pith, not in this package.'

/** True when the text has code that is a file of the repository and none of the package, or a command that only a clone has. */
function namesRepository(text, files) {
  return [...text.matchAll(/`([^`\n]+)`/g)].some(([, code]) => {
    const named = code.match(/(?:^|\s)((?:src|test|bench|scripts)\/[^\s*]+\.\w+)/)
    return (named !== null && !isInside(files, named[1])) || /\bnpm run (?:bench|docs|registry)\b/.test(code)
  })
}

function withLinks(text, resolved) {
  return text
    .replaceAll(/<picture>[\s\S]*?<\/picture>\n*/g, (picture) => {
      const links = [...picture.matchAll(/src(?:set)?="([^"]+)"/g)].map(([, link]) => link)
      if (links.some((link) => resolved(link, 'raw') === undefined)) return ''
      return picture.replaceAll(/(src(?:set)?)="([^"]+)"/g, (_, name, link) => `${name}="${resolved(link, 'raw')}"`)
    })
    .replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, picture, label, link) => {
      const target = resolved(link, picture === '' ? 'blob' : 'raw')
      if (target !== undefined) return `${picture}[${label}](${target})`
      return picture === '' ? label : ''
    })
}

function isInside(files, target) {
  return files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`))
}
