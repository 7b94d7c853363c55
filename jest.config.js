/** The unit project needs nothing but Node; the others start real clusters (Java and Maven). */
const common = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
  },
  injectGlobals: true,
};

const project = (name) => ({
  ...common,
  displayName: name,
  testMatch: [`<rootDir>/spec/${name}/**/*.spec.ts`],
});

module.exports = { projects: ['unit', 'integration', 'interop', 'package'].map(project) };
