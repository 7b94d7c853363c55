import { matchingSteps } from '../../../../lib/assignment/javaRegex/matchingSteps';
import { parseJavaRegex } from '../../../../lib/assignment/javaRegex/parseJavaRegex';

const steps = (regex: string): number => matchingSteps(parseJavaRegex(regex), 255);

describe('matchingSteps', () => {
  it.each(['orders', 'a.*', '.*a.*', '(?!__).*\\.(eu|us)', 'a|b|c.*|.*d', '(?>a|b)*c', '[ab]*+[bc]*+c*'])(
    'finds few for %s',
    (regex) => {
      expect(steps(regex)).toBeLessThan(100_000);
    },
  );

  it.each(['(a+)+b', '(a|b)*', '.*.*.*a', '(?=(a+)+b).*', '(?>(a*)*b)', '(?>(a|a)*b)*+', '(a?){20}a{20}'])(
    'finds many for %s',
    (regex) => {
      expect(steps(regex)).toBeGreaterThan(1_000_000);
    },
  );
});
