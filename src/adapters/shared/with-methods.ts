/** The same object with some methods replaced. */
export function withMethods<T extends object>(of: T, methods: object): T {
  return new Proxy(of, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name)
      // Not through the proxy: private fields (`#name`) exist only on the original object.
      const value: unknown = Reflect.get(target, name, target)
      // Binding changes the name of a class, and frameworks read `constructor.name`.
      return typeof value === 'function' && name !== 'constructor' ? value.bind(target) : value
    },
  })
}
