// What Fastify uses of `semver`, which is loaded at the first call.
const late =
  (name) =>
  (...args) =>
    require('semver')[name](...args)

module.exports = { coerce: late('coerce'), gt: late('gt'), satisfies: late('satisfies') }
