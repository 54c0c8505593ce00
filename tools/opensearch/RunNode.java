import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;

/** RunNode HOME PLUGIN,…: one node of OpenSearch with the plugins of these classes and the settings of HOME/config/opensearch.yml, until it is killed. */
public class RunNode extends Node {
    RunNode(Environment environment, Collection<Class<? extends Plugin>> plugins) {
        super(environment, plugins, false);
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Settings settings = Settings.builder()
            .put("path.home", home).put("path.data", home.resolve("data")).put("path.logs", home.resolve("logs")).build();
        List<Class<? extends Plugin>> plugins = new ArrayList<>();
        for (String name : arguments[1].split(",")) plugins.add(Class.forName(name).asSubclass(Plugin.class));
        new RunNode(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "node"), plugins).start();
        Thread.currentThread().join();
    }
}
