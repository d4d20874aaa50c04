/** The address of the repository that a package.json names in any of npm's forms, as https://HOST/OWNER/pith; undefined when it names none. */
export function repositoryAddress({ repository }) {
  const named = (typeof repository === 'string' ? repository : repository?.url) ?? ''
  const [, host = 'github', short] = named.match(/^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/) ?? []
  if (short !== undefined) return `https://${HOSTS[host]}/${short}`
  const [, web] = named.match(/^(?:git\+)?(https:\/\/\S+?)(?:\.git)?\/?$/) ?? []
  if (web !== undefined) return web
  const [, server, path] =
    named.match(
      /^(?:(?:git\+)?ssh:\/\/|git:\/\/|(?=git@))(?:[^\s@/]+@)?([^\s:/]+)(?::\d+\/|[:/])(\S+?)(?:\.git)?\/?$/,
    ) ?? []
  return server === undefined ? undefined : `https://${server}/${path}`
}

const HOSTS = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org' }

/** The command that names the repository. */
export const SET_ADDRESS = 'npm pkg set repository.type=git repository.url=https://HOST/OWNER/pith'

/** The advice when there is none: everything except publishing works without it. */
export const NO_ADDRESS = `package.json does not say where the repository lives: ${SET_ADDRESS}, and commit that`
