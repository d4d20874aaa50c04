/** The default ports. They have their own file, because the help names them and must not load the settings. */
export const DEFAULT_PORTS = { server: 7_484, gateway: 7_485 } as const
