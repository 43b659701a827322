import com.github.javabdd.BDD;
import com.github.javabdd.BDDFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * Carries out a construction's operations with JavaBDD's factory "java" and prints one line of JSON: see
 * docs/do/package.md. The script javabdd that build.sh writes calls it with the file of operations.
 */
class JavaBDD {
    private final Map<Integer, Integer> level = new HashMap<>();  // by variable
    private BDDFactory bdds;
    private BDD[] made;
    private int last = 1;

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: JavaBDD VERSION FILE");
        }
        new JavaBDD().run(args[0], Path.of(args[1]));
    }

    private void run(String version, Path file) throws IOException {
        long begun = 0;
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line; (line = in.readLine()) != null;) {
                String[] words = line.split(" ");
                switch (words[0]) {
                case "c":
                    level.put(Integer.parseInt(words[1]), level.size());
                    break;
                case "p":
                    begin(level.size(), Integer.parseInt(words[3]));
                    begun = System.nanoTime();
                    break;
                case "free":
                    made[Integer.parseInt(words[1])].free();
                    break;
                default:
                    made[++last] = make(words);
                }
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        BDD result = made[last];
        System.out.printf(
            "{\"engine\": \"JavaBDD %s, Java %s\", \"nodes\": %d, \"solutions\": \"%d\", %s\"build_seconds\": %.6f}%n",
            version, System.getProperty("java.version"), result.nodeCount(), result.satCount(),
            peakBytes(), seconds);
    }

    /** As BuDDy's driver does, of which the factory is a translation. */
    private void begin(int vars, int operations) {
        int nodes = vars < 100 ? 1 << 14 : vars < 121 ? 1 << 17 : vars < 144 ? 1 << 19 : 1 << 21;
        bdds = BDDFactory.init("java", nodes, nodes / 4);
        bdds.setVarNum(vars);
        bdds.setCacheRatio(.25);
        bdds.setMaxIncrease(1 << 23);
        made = new BDD[operations + 2];
        made[0] = bdds.zero();
        made[1] = bdds.one();
    }

    private BDD make(String[] words) {
        switch (words[0]) {
        case "cube":
            return combine(words, bdds.one(), BDD::andWith);
        case "clause":
            return combine(words, bdds.zero(), BDD::orWith);
        case "and":
            return of(words[1]).and(of(words[2]));
        case "or":
            return of(words[1]).or(of(words[2]));
        case "node":
            BDD variable = literal(words[1]);
            BDD f = variable.ite(of(words[3]), of(words[2]));
            variable.free();
            return f;
        default:
            throw new IllegalArgumentException("unknown operation: " + String.join(" ", words));
        }
    }

    private BDD of(String number) { return made[Integer.parseInt(number)]; }

    private BDD literal(String l) {
        int v = Integer.parseInt(l);
        return v > 0 ? bdds.ithVar(level.get(v)) : bdds.nithVar(level.get(-v));
    }

    /** Combines the literals up to the final 0, starting with the lowest level. */
    private BDD combine(String[] words, BDD f, BinaryOperator<BDD> with) {
        for (int i = 1; i < words.length - 1; i++) {
            f = with.apply(literal(words[i]), f);
        }
        return f;
    }

    /** The peak resident memory of this process, if the system tells. */
    private static String peakBytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmHWM:")) {
                    return "\"bytes\": " + 1024 * Long.parseLong(line.replaceAll("\\D", "")) + ", ";
                }
            }
        }
        return "";
    }
}
