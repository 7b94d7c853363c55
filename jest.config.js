/**
 * Unit and package need nothing but Node. Integration runs on the embedded cluster, or with CLUSTERS=real on real ones. The
 * others start real clusters, members or clients of the JVM (Java and Maven).
 */
const PROJECTS = ['unit', 'package', 'integration', 'real', 'interop', 'differential', 'clients'];

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

module.exports = { projects: PROJECTS.map(project) };
