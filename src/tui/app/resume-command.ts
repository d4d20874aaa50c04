/** The command that goes on with a session. In a clone `pith` is not on the path: npm's own start is. */
export function resumeCommand(id: string, env: NodeJS.ProcessEnv): string {
  const isClone = env.npm_lifecycle_event === 'start' && env.npm_package_name === 'pith'
  return `${isClone ? 'npm start --' : 'pith'} --session ${id.slice(0, 8)}`
}
